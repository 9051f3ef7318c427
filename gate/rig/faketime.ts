import fs from 'node:fs'

/** Where Debian's package `faketime` puts it; another place is said by PUNCTUAL_GATE_FAKETIME. */
const PLACES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
]

/** The environment of a process whose clock is wrong by so much; undefined where there is no libfaketime. */
export function wrongClock(offsetSeconds: number): Record<string, string> | undefined {
  const library = [process.env['PUNCTUAL_GATE_FAKETIME'], ...PLACES].find((place) => place && fs.existsSync(place))
  if (library === undefined) return undefined
  const offset = `${offsetSeconds < 0 ? '-' : '+'}${Math.abs(offsetSeconds)}s`
  // Timers run on the monotonic clock, which no operator can set wrong.
  return { LD_PRELOAD: library, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' }
}
