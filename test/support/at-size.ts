/** The number of a test: the usual one, or the one that is promised when the gate runs the test to prove it. */
export const atSize = (full: number, usual: number): number =>
  process.env['PUNCTUAL_GATE_SIZE'] === 'full' ? full : usual
