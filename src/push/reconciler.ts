import type { ReconcilerStep } from '../engine/reconciler'
import type { PushStore } from './sql'

const PRUNED = 10_000

/** What the reconciler does for pushes. */
export const pushSteps = (pushes: Pick<PushStore, 'prune'>): ReconcilerStep[] => [
  { name: 'prune_pushes', run: () => pushes.prune(PRUNED).then(() => 0) },
]
