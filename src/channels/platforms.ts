import { createOneBot } from './onebot'
import type { OneBotParts } from './onebot'
import type { Platform } from './platform'
import { createTelegram } from './telegram'

/** Every platform; a new one is added here. */
export function createPlatforms(parts: Pick<OneBotParts, 'accounts' | 'egress'>): Platform[] {
  return [createTelegram(parts), createOneBot(parts)]
}
