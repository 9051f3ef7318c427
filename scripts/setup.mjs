import { checkNode, isInstalled } from './setup/install.mjs'
import { inRoot } from './setup/files.mjs'
import { areGoalsMet } from './setup/goals.mjs'
import { runCommand } from './setup/progress.mjs'

/**
 * Brings a checkout to where the given command can run: packages, generated client, the page and, when asked, dist and
 * the Temporal server. What is to be done is done by a process of its own: compilers leave their memory behind.
 */
export async function ensureReady({ build, temporal = false }) {
  checkNode()
  const isMet = areGoalsMet({ build })
  // Tests need tools even where everything is built.
  if (isMet && isInstalled({ withTools: !build })) return
  const wanted = [...(build ? ['--build'] : []), ...(temporal ? ['--temporal'] : [])]
  await runCommand(process.execPath, [inRoot('scripts', 'setup', 'prepare.mjs'), ...wanted])
}
