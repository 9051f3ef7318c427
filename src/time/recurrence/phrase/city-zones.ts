import { ANYTHING } from '../../first-set'
import { longest, map, optional, rule, sequence, word } from '../../grammar'
import type { Rule } from '../../grammar'

/** Cities that the zone data names, and some large ones that it does not. */
const ZONE_OF_CITY = new Map<string, string>([
  ...Intl.supportedValuesOf('timeZone').flatMap((zone): [string, string][] => {
    const city = zone.split('/').at(-1)
    return zone.includes('/') && !zone.startsWith('Etc/') && city ? [[city.toLowerCase(), zone]] : []
  }),
  ...Object.entries({
    'Asia/Shanghai': 'beijing shenzhen guangzhou hangzhou chengdu',
    'Asia/Kolkata': 'mumbai delhi new_delhi bangalore bengaluru kolkata',
    'America/Los_Angeles': 'san_francisco seattle la california',
    'America/New_York': 'boston washington miami nyc atlanta',
    'America/Chicago': 'houston dallas austin',
    'Europe/Berlin': 'munich frankfurt hamburg cologne',
    'Europe/Rome': 'milan',
    'Europe/Madrid': 'barcelona',
    'Europe/Zurich': 'geneva',
    'Asia/Tokyo': 'osaka kyoto japan',
    'America/Toronto': 'ottawa montreal',
  }).flatMap(([zone, cities]) => cities.split(' ').map((city): [string, string] => [city, zone])),
])
const LONGEST_NAME = 3

const city: Rule<string> = rule(ANYTHING, (tokens, at) => {
  for (let count = LONGEST_NAME; count > 0; count -= 1) {
    const words = tokens.slice(at, at + count)
    if (words.length < count || words.some(({ kind }) => kind !== 'word')) continue
    const zone = ZONE_OF_CITY.get(words.map(({ text }) => text).join('_'))
    if (zone) return { value: zone, next: at + count }
  }
  return undefined
})

/** "in Tokyo", "London time"; a name alone may be anything. */
export const cityZones: Rule<string> = longest(
  map(sequence(word('in'), city, optional(word('time'))), ([, zone]) => zone),
  map(sequence(city, optional(word('local standard')), word('time')), ([zone]) => zone),
)
