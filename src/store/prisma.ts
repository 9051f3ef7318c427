export { createDatabase } from './database'
export type { Database } from './database'
