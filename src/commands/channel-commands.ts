import { isPlatformName, PLATFORM_NAMES, PLATFORMS, platformEntry } from '../contracts/platforms'
import type { PlatformName } from '../contracts/platforms'
import type { JsonObject } from '../contracts/words'
import { badRequest } from '../errors'

const optionOf = (field: string) => field.replaceAll('_', '-')
const openFields = (name: PlatformName) => platformEntry(name).fields.filter(({ secret }) => !secret)

/** The options of all platforms, each once. */
export const CHANNEL_OPTIONS = [...new Set(PLATFORM_NAMES.flatMap(openFields).map(({ name }) => optionOf(name)))]

const setUsage = (name: PlatformName) =>
  ['  channels set BOT', name, ...openFields(name).map((field) => `[--${optionOf(field.name)} …]`)].join(' ')

/** The lines of the usage that speak of channels. */
export const CHANNEL_USAGE = [
  ...PLATFORM_NAMES.map(setUsage),
  '      the secret (token, access token, signing secret) comes by PUNCTUAL_SECRET; one that is made is shown once',
  '  channels list BOT',
  `  channels remove BOT ${PLATFORM_NAMES.join('|')}`,
].join('\n')

export function readPlatform(name: string | undefined): PlatformName {
  if (isPlatformName(name)) return name
  throw badRequest('unknown_channel', `the channel is one of ${PLATFORM_NAMES.join(', ')}`, CHANNEL_USAGE)
}

/** What was typed, and the secret of the environment, in the words of the platform. */
export function wishOf(
  platform: PlatformName,
  options: Record<string, unknown>,
  secret: string | undefined,
): JsonObject {
  const wish: JsonObject = {}
  for (const field of platformEntry(platform).fields) {
    const value = field.secret ? secret : options[optionOf(field.name)]
    if (typeof value === 'string') wish[field.name] = value
  }
  return wish
}

export const tellSet = (platform: PlatformName) =>
  PLATFORMS[platform].connects ? `${platform} is set; a worker connects within seconds.` : `${platform} is set.`
