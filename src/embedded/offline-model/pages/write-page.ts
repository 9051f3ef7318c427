import { writeCalculator } from './calculator'
import { writeNotes } from './notes'
import type { PageWish } from './page-wish'
import { writePlainPage } from './plain-page'
import { writeTimer } from './timer'

const PAGES: readonly [RegExp, (wish: PageWish) => string][] = [
  [/计算器|計算器|计算机|計算機|calculator|\bcalc\b/i, writeCalculator],
  [/计时|計時|倒计时|倒計時|秒表|番茄钟|番茄鐘|timer|countdown|stopwatch|pomodoro/i, writeTimer],
  [/笔记|筆記|记事|記事|便签|便簽|备忘|備忘|待办|待辦|清单|清單|note|to-?do|checklist|shopping list/i, writeNotes],
]

/** A small page that works, by what the words name first of all. */
export function writePage(wish: PageWish): string {
  const named = PAGES.find(([words]) => words.test(wish.name)) ?? PAGES.find(([words]) => words.test(wish.description))
  return (named?.[1] ?? writePlainPage)(wish)
}
