/** The Chinese words the grammar knows. Text is cut by the longest word that fits, so order does not matter here. */
const WORDS = `
  个 半 多 几 又 的 在 于 是 前 后 内 里 中 再 过 等 约 整 正 许 差 不 到 至 和 第 最后 请 就 吧 了 那 啊 呢 哦 哈 开始
  之后 以后 过后 之前 以前 之内 以内 内 后 大约 大概 差不多 左右 上下 准时 钟左右
  秒 秒钟 分 分钟 刻 刻钟 小时 钟头 钟 点 点钟 时 天 日 号 周 星期 礼拜 月 月份 年 年份 工作日 季度
  今天 今日 今儿 今儿个 明天 明日 明儿 明儿个 后天 后日 后儿 大 昨天 昨日 昨儿 前天 前日 大前天 听日 寻日 今 明 昨
  当天 当日 次日 翌日 隔天 第二天 同一天 当
  凌晨 清晨 清早 早晨 早上 早 一早 一大早 大早上 大清早 上午 午前 中午 正午 午间 晌午 下午 午后 晏昼 下昼 傍晚 黄昏 晚上 晚 晚间
  早间 搭 踏 字 同一 同样
  夜里 夜晚 夜间 深夜 半夜 大半夜 夜 午夜 子夜 朝早 朝 晚黑 黎明 拂晓 天亮 入夜 后半夜 前半夜 三更半夜 大晚上 晨 上昼
  今早 今晨 今晚 今夜 今朝 明早 明晨 明晚 明夜 昨晚 昨夜 今早上 明早上 今晚上 明晚上 听晚 听朝 当晚 当夜
  周末 底 末 初
  下 上 这 本 今年 明年 后年 大后年 去年 前年 来年 本年 当年 次年 本月 当月 次月 今个月
  农历 阴历 旧历 公历 阳历 正月 腊月 冬月 闰
  现在 此刻 此时 当前 目前 而家 依家 立刻 立即 马上 即刻 这会儿 当下 眼下 刚刚 刚才 如今
  每 逢 隔 之间 或 或者 还是
  没 别 勿 如果 若 除非 除了 吗 附近 以外 之外 另外 取消 改成 改到 不是 早于 晚于 之间 直到 期间 一下 一次 闹钟
  时候 一会儿 一会 待会 待会儿 回头 有空 改天 时间 时分
  北京时间 东京时间 纽约时间 伦敦时间 当地时间 本地时间 香港时间 台北时间 巴黎时间 柏林时间 洛杉矶时间 旧金山时间 新加坡时间 首尔时间 悉尼时间 莫斯科时间
`

export const HOLIDAY_WORDS = new Map<string, string>(
  Object.entries({
    'new-year': '元旦 元旦节 新年',
    valentine: '情人节',
    women: '妇女节 三八节 三八妇女节 女神节',
    'tree-planting': '植树节',
    'april-fools': '愚人节',
    labour: '劳动节 五一劳动节 五一节',
    youth: '青年节 五四青年节',
    'mothers-day': '母亲节',
    'fathers-day': '父亲节',
    children: '儿童节 六一儿童节 六一节',
    party: '建党节 七一建党节',
    army: '建军节 八一建军节',
    teachers: '教师节',
    national: '国庆 国庆节 十一国庆节 国庆日',
    halloween: '万圣节',
    'singles-day': '光棍节 双十一 双11',
    'double-twelve': '双十二 双12',
    thanksgiving: '感恩节',
    'christmas-eve': '平安夜',
    christmas: '圣诞节 圣诞',
    'spring-festival': '春节 大年初一 农历新年',
    'lunar-new-year-eve': '除夕 大年三十 年三十 除夕夜',
    lantern: '元宵节 元宵',
    'dragon-boat': '端午节 端午',
    qixi: '七夕 七夕节 七夕情人节',
    'ghost-festival': '中元节',
    'mid-autumn': '中秋节 中秋',
    'double-ninth': '重阳节 重阳',
    laba: '腊八节 腊八',
    'little-new-year': '小年',
    qingming: '清明节',
  }).flatMap(([name, words]) => words.split(' ').map((word): [string, string] => [word, name])),
)

/** In order of the sun's way, beginning with the spring equinox at 0°, 15° apart. */
export const SOLAR_TERMS =
  '春分 清明 谷雨 立夏 小满 芒种 夏至 小暑 大暑 立秋 处暑 白露 秋分 寒露 霜降 立冬 小雪 大雪 冬至 小寒 大寒 立春 雨水 惊蛰'.split(
    ' ',
  )

const WEEK_NAMES = ['周', '星期', '礼拜']
const WEEKDAY_NAMES = [...'一二三四五六日天'].concat([...'123456'])

/** "周一" is one word, so that the 一 is not taken for the hour in "周一一点". */
export const WEEKDAY_WORDS = new Map(
  WEEK_NAMES.flatMap((week) =>
    WEEKDAY_NAMES.map((name, index): [string, number] => [week + name, index < 8 ? Math.min(index + 1, 7) : index - 7]),
  ),
)

export const LEXICON = new Set([
  ...WORDS.split(/\s+/).filter(Boolean),
  ...HOLIDAY_WORDS.keys(),
  ...SOLAR_TERMS,
  ...WEEKDAY_WORDS.keys(),
])

export const LONGEST_WORD = Math.max(...[...LEXICON].map((entry) => entry.length))
