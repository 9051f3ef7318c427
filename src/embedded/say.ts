/** One plain line for the person at the terminal; the processes' own logs are JSON. */
export function say(line: string): void {
  process.stdout.write(`punctual: ${line}\n`)
}
