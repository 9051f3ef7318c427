import { PLATFORM_NAMES } from '../contracts/platforms'
import type { PlatformName } from '../contracts/platforms'
import type { Egress } from '../egress/egress'
import type { FileSource } from './files'
import { createOneBot } from './onebot'
import type { MovedChats, Platform, PlatformAccounts } from './platform'
import { createTelegram } from './telegram'
import { createWebhook } from './webhook'

export interface PlatformParts {
  accounts: PlatformAccounts
  egress: Egress
  files: FileSource
  movedChats: MovedChats
  /** The database's: what is signed is signed at its time. */
  clock: { now(): Promise<Date> }
}

const MAKERS: Record<PlatformName, (parts: PlatformParts) => Platform> = {
  webhook: createWebhook,
  telegram: createTelegram,
  onebot: createOneBot,
}

export const createPlatforms = (parts: PlatformParts): Platform[] => PLATFORM_NAMES.map((name) => MAKERS[name](parts))
