import { lineOf } from '../conversation'
import type { Conversation } from '../conversation'
import { writePage } from '../pages/write-page'

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
