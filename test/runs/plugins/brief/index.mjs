export async function handler() {
  return 'done'
}
