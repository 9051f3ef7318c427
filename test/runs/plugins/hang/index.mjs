export async function handler() {
  for (;;);
}
