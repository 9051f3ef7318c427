import { commandLine, isSameProcess, markProcess, parentOf } from './process'

const LOOK_EVERY_MS = 500

/**
 * npm runs a script through a shell. A SIGTERM to npm ends that shell, which passes nothing on, and a kill -9 of npm
 * passes nothing on either: without a look now and then, everything would run on with nobody to stop it.
 */
export function onNpmGone(then: (what: string) => void): void {
  if (process.env['npm_lifecycle_event'] !== 'start') return
  const isShell = commandLine(process.ppid).includes('start.mjs')
  const pids = isShell ? [process.ppid, parentOf(process.ppid) ?? process.ppid] : [process.ppid]
  const marks = pids.flatMap((pid) => markProcess(pid) ?? [])
  const timer = setInterval(() => {
    if (marks.every(isSameProcess)) return
    clearInterval(timer)
    then('npm is gone')
  }, LOOK_EVERY_MS)
  timer.unref()
}
