/** Messages that programs send. What is here is for the other rooms; the rest is the inside. */
export { createPush, pushSteps } from './push'
export { createPushStore } from './sql'
