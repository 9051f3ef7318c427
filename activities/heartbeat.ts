import type { Activities } from '../src/contracts/activities'
import type { Product } from '../src/build/product'

/** One pass of the reconciler, counted. */
export function createReconcile({ reconcile, metrics, logger }: Product): Activities['reconcile'] {
  return async () => {
    const repairs = { ...(await reconcile()) }
    for (const [what, count] of Object.entries(repairs)) metrics.repaired(what, count)
    if (Object.values(repairs).some((count) => count > 0)) logger.info(repairs, 'the reconciler mended something')
    return repairs
  }
}
