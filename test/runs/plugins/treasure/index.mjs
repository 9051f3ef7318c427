export async function handler({ map }) {
  return { found: `gold under ${map}` }
}
