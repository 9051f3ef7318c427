const TRADITIONAL =
  '點後鐘鍾個號週禮兩時鬧請幫設條刪還麼幾現會遲換調為過這來別訂記裡給說訴發間沒開關掉無將於當內節國慶聖誕顯們聲從頭樣應該畫張圖尋倉庫計機標讀製單網頁結繪資訊寫筆軟體遊戲創隻'
const SIMPLIFIED =
  '点后钟钟个号周礼两时闹请帮设条删还么几现会迟换调为过这来别订记里给说诉发间没开关掉无将于当内节国庆圣诞显们声从头样应该画张图寻仓库计机标读制单网页结绘资讯写笔软体游戏创只'

const PLAIN = new Map([...TRADITIONAL].map((character, at) => [character, [...SIMPLIFIED][at] ?? character]))

/** Simplified characters where the rules look for them. One for one, so that a place found here is a place there. */
export function toPlainChinese(text: string): string {
  return text.replaceAll(/\p{Script=Han}/gu, (character) => PLAIN.get(character) ?? character)
}

const DIGITS = '零一二三四五六七八九十'

/** A number up to 99 in digits or Chinese numerals. */
export function toNumber(text: string): number {
  if (/^[0-9]+$/.test(text)) return Number(text)
  const plain = text.replaceAll('两', '二').replaceAll('〇', '零')
  const [tens, ones] = plain.includes('十') ? plain.split('十') : ['', plain]
  const ten = plain.includes('十') ? (tens === '' ? 1 : DIGITS.indexOf(tens ?? '')) * 10 : 0
  return ten + (ones === '' ? 0 : DIGITS.indexOf(ones ?? ''))
}
