/** Traditional characters, formal numerals and typographic signs, each with the plain one the grammars know. */
const FROM =
  '點時鐘鍾週禮後個號兩內聽閏晝間過這來當現剛馬從農曆舊臘節兒國慶聖誕戀婦陽陰裡裏壹貳贰參叁肆伍陸陆柒捌玖拾佰仟〇○両倆係會遲與開關達舉師親勞動種驚蟄穀滿處異無請雙復顧僅還東紐約倫歲尋們問鬧辦買車飯藥課錢門電話機場體檢總結報發給讓說談頭離沒準應該單隨則邊臺萬莊嚴紅綠鍋運飛網線設計預診療寫讀講學習練書畫業務員經濟費賬錄傳換衝擊鈴錶將於幾'
const TO =
  '点时钟钟周礼后个号两内听闰昼间过这来当现刚马从农历旧腊节儿国庆圣诞恋妇阳阴里里一二二三三四五六六七八九十百千零零两俩系会迟与开关达举师亲劳动种惊蛰谷满处异无请双复顾仅还东纽约伦岁寻们问闹办买车饭药课钱门电话机场体检总结报发给让说谈头离没准应该单随则边台万庄严红绿锅运飞网线设计预诊疗写读讲学习练书画业务员经济费账录传换冲击铃表将于几'

const PLAIN = new Map([...FROM].map((character, index) => [character, [...TO][index] ?? character]))
for (const quote of '’‘`′´') PLAIN.set(quote, "'")
for (const quote of '“”″「」『』') PLAIN.set(quote, '"')
for (const dash of '–—−‐‑‒―') PLAIN.set(dash, '-')
for (const wave of '～〜∼') PLAIN.set(wave, '~')
for (const [sign, plain] of [
  ['⁄', '/'],
  ['。', '.'],
  ['、', ','],
  ['・', '·'],
  ['﹕', ':'],
] as const)
  PLAIN.set(sign, plain)

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g
const SPACE_BESIDE_HAN = /(?<=\p{Script=Han}) +| +(?=\p{Script=Han})/gu

/** One spelling for what people type: full width, capitals, traditional characters, spaces inside Chinese. */
export function normalize(text: string): string {
  const compatible = text.normalize('NFKC').replace(INVISIBLE, '').toLowerCase()
  const plain = Array.from(compatible, (character) => PLAIN.get(character) ?? character).join('')
  return plain.replace(/\s+/g, ' ').replace(SPACE_BESIDE_HAN, '').trim()
}
