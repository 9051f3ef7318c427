import { bundle, isBundled } from './bundle.mjs'
import { areAssetsCopied, compile, copyAssets, isCompiled } from './compile.mjs'
import { generate, isGenerated } from './generate.mjs'
import { buildPage, isPageBuilt } from './page.mjs'

/** What must be true before anything runs. Each is checked by content and costs nothing when it holds. */
const GENERATED = { holds: isGenerated, achieve: generate }
const PAGE = { holds: isPageBuilt, achieve: buildPage }
const COMPILED = { holds: isCompiled, achieve: compile }
const COPIED = { holds: areAssetsCopied, achieve: copyAssets }
const BUNDLED = { holds: isBundled, achieve: bundle }

export const areGoalsMet = ({ build }) =>
  (build ? [GENERATED, PAGE, COMPILED, COPIED, BUNDLED] : [GENERATED, PAGE]).every((goal) => goal.holds())

/** Side by side where one does not need the other. `onCompiled` runs beside what follows the compiling. */
export async function meetGoals({ build, onCompiled }) {
  const code = async () => {
    await meet(GENERATED)
    if (!build) return
    await meet(COMPILED)
    await meet(COPIED)
    await Promise.all([meet(BUNDLED), onCompiled()])
  }
  await Promise.all([meet(PAGE), code()])
}

async function meet(goal) {
  if (!goal.holds()) await goal.achieve()
}
