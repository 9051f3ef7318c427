import { IANAZone } from 'luxon'

export { detectLanguage } from '../contracts/language'

export const DEFAULT_ZONE = 'Asia/Shanghai'

export function isKnownZone(zone: string): boolean {
  return IANAZone.isValidZone(zone)
}
