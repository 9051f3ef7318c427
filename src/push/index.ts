/** Messages that programs send. What is here is for the other rooms; the rest is the inside. */
export { createPush } from './push'
export { pushSteps } from './reconciler'
export { createPushStore } from './sql'
