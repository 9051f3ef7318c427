/** The one list of everything due. What is here is for the other rooms; the rest is the inside. */
export { createPromiseStore } from './promise-store'
