import { checkNode, install, isInstalled } from './setup/install.mjs'
import { generate, isGenerated } from './setup/generate.mjs'
import { areAssetsCopied, compile, copyAssets, isCompiled } from './setup/compile.mjs'
import { bundle, isBundled } from './setup/bundle.mjs'
import { buildPage, isPageBuilt } from './setup/page.mjs'
import { withSetupLock } from './setup/lock.mjs'

/** What must be true before anything runs, in this order. Each is checked by content and costs nothing when it holds. */
const PACKAGES = [
  { holds: isInstalled, achieve: install },
  { holds: isGenerated, achieve: generate },
  { holds: isPageBuilt, achieve: buildPage },
]
const OUTPUT = [
  { holds: isCompiled, achieve: compile },
  { holds: areAssetsCopied, achieve: copyAssets },
  { holds: isBundled, achieve: bundle },
]

/** Brings a checkout to where the given command can run: packages, generated client, the page and, when asked, dist. */
export async function ensureReady({ build }) {
  checkNode()
  const goals = build ? [...PACKAGES, ...OUTPUT] : PACKAGES
  if (goals.every((goal) => goal.holds())) return
  await withSetupLock(async () => {
    for (const goal of goals) if (!goal.holds()) await goal.achieve()
  })
}
