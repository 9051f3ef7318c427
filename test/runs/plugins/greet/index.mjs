export async function handler({ name }) {
  return { summary: `Hello ${name}` }
}
