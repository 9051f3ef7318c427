/**
 * Test only. `PUNCTUAL_TEST_CRASH_POINT=name` or `name:3` makes the process kill itself when it passes that place
 * (the third time). Without the setting it is nothing.
 */
export function createCrashPoint(setting: string | undefined): (name: string) => void {
  if (setting === undefined) return () => undefined
  const [wanted, count = '1'] = setting.split(':')
  let left = Number(count)
  return (name) => {
    if (name === wanted && --left === 0) process.kill(process.pid, 'SIGKILL')
  }
}
