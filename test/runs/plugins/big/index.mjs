export async function handler({ bytes = 0, filling = '' }) {
  return { received: filling.length, text: 'x'.repeat(bytes) }
}
