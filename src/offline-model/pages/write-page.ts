import { lineOf } from '../conversation'
import type { Conversation } from '../conversation'
import { writeCalculator } from './calculator'
import type { PageRequest } from './frame'
import { writeNotes, writePlainPage } from './notes'
import { writeTimer } from './timer'

const NAME_CHARACTERS = 80
const DESCRIPTION_CHARACTERS = 2_000

/** The page that `html_to_app` asks for. */
export function writeHtmlPage({ text, facts, language }: Conversation): string {
  const name = lineOf(text, 'App name') ?? 'App'
  // A description may have many lines; it ends where the details begin.
  const description = /^Description:[ \t]*([\s\S]*?)(?=^Details:|$(?![\s\S]))/m.exec(text)?.[1] ?? name
  return writePage({
    name: name.slice(0, NAME_CHARACTERS),
    description: description.slice(0, DESCRIPTION_CHARACTERS).trim(),
    language: facts.language ?? language,
  })
}

const PAGES: readonly [RegExp, (request: PageRequest) => string][] = [
  [/计算器|計算器|计算机|計算機|calculator|\bcalc\b/i, writeCalculator],
  [/计时|計時|倒计时|倒計時|秒表|番茄钟|番茄鐘|timer|countdown|stopwatch|pomodoro/i, writeTimer],
  [/笔记|筆記|记事|記事|便签|便簽|备忘|備忘|待办|待辦|清单|清單|note|to-?do|checklist|shopping list/i, writeNotes],
]

/** A small page that works, by what the words name first of all. */
export function writePage(request: PageRequest): string {
  const named =
    PAGES.find(([words]) => words.test(request.name)) ?? PAGES.find(([words]) => words.test(request.description))
  return (named?.[1] ?? writePlainPage)(request)
}
