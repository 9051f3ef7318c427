export { startOfflineModel } from './offline-server'
export type { OfflineModel } from './offline-server'
