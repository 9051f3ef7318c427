import { existsSync } from 'node:fs'
import Module from 'node:module'
import { inRoot } from './files.mjs'
import { SetupError } from './progress.mjs'

/** Runs a compiled file as this very process, so that signals, stdin and the exit code are its own. */
export function runCompiled(file, args) {
  const target = inRoot('dist', file)
  if (!existsSync(target)) throw new SetupError(`there is no ${file.replace(/\.js$/, '.ts')}`)
  process.argv = [process.execPath, target, ...args]
  Module.runMain()
}
