import { Worker } from 'node:worker_threads'

const CHECK_MS = 1_000
/** Plain text, for it must run in a thread of its own: a handler in an endless loop never gets to see the line break. */
const WATCH = `
  const parent = ${process.ppid}
  setInterval(() => { if (process.ppid !== parent) process.kill(-${process.pid}, 'SIGKILL') }, ${CHECK_MS})
`

/** Ends this process and all it started when the host has died. */
export function watchParent(): void {
  process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'))
  const watcher = new Worker(WATCH, { eval: true, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 16 } })
  watcher.unref()
}
