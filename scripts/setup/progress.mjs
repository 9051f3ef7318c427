import { spawn } from 'node:child_process'

/** All progress goes to stderr: stdout belongs to the command that was asked for. */
export const say = (line) => process.stderr.write(`punctual: ${line}\n`)

/** A reason to stop that a person can act on; printed without a stack. */
export class SetupError extends Error {}

/** Says what a slow step does and how long it took. */
export async function step(title, work) {
  const started = performance.now()
  say(`${title} …`)
  const result = await work()
  say(`${title}: done in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return result
}

/** Runs a command with its output shown on stderr, or when `quiet` only if it fails; resolves when it succeeds. */
export function runCommand(command, args, { cwd, env = process.env, quiet = false } = {}) {
  return new Promise((resolve, reject) => {
    const output = quiet ? 'pipe' : process.stderr
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', output, output] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (said += text))
    child.once('error', (error) => reject(new SetupError(`${command} could not be run: ${error.message}`)))
    child.once('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new SetupError(`${said}"${[command, ...args].join(' ')}" ended with ${signal ?? `code ${code}`}`))
    })
  })
}

/** Runs a script's main function; what a person can mend is told plainly, a bug with its stack. */
export async function runScript(main) {
  try {
    await main()
  } catch (error) {
    if (error instanceof SetupError) say(error.message)
    else console.error(error)
    process.exit(1)
  }
}
