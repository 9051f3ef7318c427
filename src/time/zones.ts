import { IANAZone } from 'luxon'

export const DEFAULT_ZONE = 'Asia/Shanghai'

export function isKnownZone(zone: string): boolean {
  return IANAZone.isValidZone(zone)
}

export function detectLanguage(text: string): 'zh' | 'en' {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en'
}
