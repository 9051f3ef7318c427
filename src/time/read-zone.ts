import { CITY_ZONES, ZONE_NAMES } from './zone-names'
import { isKnownZone } from './zones'

/** Places that people name and no zone is called after, in both languages. */
const PLACES: Record<string, string> = {
  'Asia/Shanghai': '北京 上海 中国 广州 深圳 杭州 成都 武汉 guangzhou shenzhen',
  'Asia/Hong_Kong': '香港',
  'Asia/Taipei': '台北 台湾',
  'Asia/Tokyo': '东京 日本 大阪 osaka japan',
  'Asia/Seoul': '首尔 韩国 korea',
  'Asia/Singapore': '新加坡',
  'Asia/Bangkok': '曼谷 泰国 thailand',
  'Asia/Kolkata': '印度 孟买 india mumbai delhi bangalore',
  'Asia/Dubai': '迪拜 uae',
  'Europe/London': '伦敦 英国 uk england britain',
  'Europe/Paris': '巴黎 法国 france',
  'Europe/Berlin': '柏林 德国 慕尼黑 germany munich frankfurt',
  'Europe/Madrid': '马德里 西班牙 spain barcelona',
  'Europe/Rome': '罗马 意大利 italy milan',
  'Europe/Moscow': '莫斯科',
  'America/New_York': '纽约 波士顿 华盛顿 boston washington miami atlanta nyc',
  'America/Chicago': '芝加哥 dallas houston austin',
  'America/Los_Angeles': '洛杉矶 旧金山 西雅图 硅谷 california seattle',
  'America/Toronto': '多伦多',
  'America/Vancouver': '温哥华',
  'America/Sao_Paulo': '圣保罗',
  'Australia/Sydney': '悉尼',
  'Australia/Melbourne': '墨尔本',
  'Pacific/Auckland': '奥克兰 新西兰',
}
const TWO_WORDS: Record<string, string> = {
  'san francisco': 'America/Los_Angeles',
  'hong kong': 'Asia/Hong_Kong',
  'new zealand': 'Pacific/Auckland',
}

const BY_PLACE = new Map([
  ...CITY_ZONES,
  ...Object.entries(TWO_WORDS),
  ...Object.entries(PLACES).flatMap(([zone, names]) => names.split(' ').map((name): [string, string] => [name, zone])),
])

/** Every zone by the place that it is called after: "new york", "kuala lumpur". */
const byCity = new Map(
  Intl.supportedValuesOf('timeZone').map((zone) => [zone.split('/').at(-1)!.replaceAll('_', ' ').toLowerCase(), zone]),
)

const OFFSET = /^(?:utc|gmt)?\s*([+-])\s*(\d{1,2})(?::?00)?$/
const CHINESE_OFFSET = /^([东西])(\d{1,2}|十[一二]?|[零一二三四五六七八九])区$/

/**
 * The zone that a person names: an IANA name, a city or country, an offset in whole hours. Undefined when it is none; an
 * abbreviation that says an offset only ("PST") is none, because it is wrong for half of the year.
 */
export function readZone(text: string): string | undefined {
  const said = text.trim().slice(0, 100)
  if (said.includes('/') && isKnownZone(said)) {
    return new Intl.DateTimeFormat('en', { timeZone: said }).resolvedOptions().timeZone
  }
  const plain = said
    .toLowerCase()
    .replaceAll('−', '-')
    .replace(/\s*(?:时间|时区|市|(?:standard |daylight )?time(?: zone)?)$/, '')
    .replaceAll(/[.。!！,，]/g, '')
    .trim()
  const named = BY_PLACE.get(plain) ?? byCity.get(plain) ?? ZONE_NAMES.get(`${plain}时间`)
  if (named !== undefined && isKnownZone(named)) return named
  if (plain === 'utc' || plain === 'gmt') return 'Etc/UTC'
  return readOffset(plain)
}

function readOffset(plain: string): string | undefined {
  const chinese = CHINESE_OFFSET.exec(plain)
  const western = OFFSET.exec(plain)
  const digits = (chinese ?? western)?.[2]
  if (digits === undefined) return undefined
  const hours = Number(digits) || CHINESE_HOURS.indexOf(digits)
  if (hours < 0 || hours > 14) return undefined
  // The names of these zones count the other way round.
  const isEast = chinese ? chinese[1] === '东' : western?.[1] === '+'
  const zone = `Etc/GMT${isEast ? '-' : '+'}${hours}`
  return isKnownZone(zone) ? zone : undefined
}

/** 东八区: by their place. */
const CHINESE_HOURS = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二']
