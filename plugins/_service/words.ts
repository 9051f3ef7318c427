import type { HandlerContext } from '../../src/runs/plugins/handler-context'

type Spoken = Pick<HandlerContext, 'language'>

/** What the person reads, in the language of the run. */
export const say = ({ language }: Spoken, texts: { zh: string; en: string }): string => texts[language]

/** An error a person can act on. */
export const fault = (context: Spoken, texts: { zh: string; en: string }): Error => new Error(say(context, texts))

/** Whole characters, so that no half of one is left at the end. */
export function shorten(text: string, characters: number): string {
  const all = [...text.trim()]
  return all.length <= characters ? all.join('') : `${all.slice(0, characters - 1).join('')}…`
}
