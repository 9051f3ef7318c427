import type { Effect, EffectSubject } from '../contracts/effect'
import { isAbout } from '../contracts/effect'
import type { Tool, ToolAnswer, ToolResult } from '../contracts/tool'
import type { JsonObject } from '../contracts/words'

interface OpenQuestion {
  text: string
  about: EffectSubject
  answer: ToolAnswer | undefined
}

/** What the calls of a turn have done so far, by what the tools say themselves. */
export interface TurnEffects {
  note(tool: Tool, args: JsonObject, result: ToolResult): void
  list(): Effect[]
  /** What the person still has to be asked: nothing that was done later in the turn has settled it. */
  questions(): OpenQuestion[]
  /** What the last call makes of the answer; a question that is still open comes before it. */
  answer(): ToolAnswer | undefined
}

export function createTurnEffects(): TurnEffects {
  let effects: Effect[] = []
  let lastAnswer: ToolAnswer | undefined
  const questions = new Map<string, OpenQuestion>()

  /** A refusal that a later call made up for is no news any more. */
  function settle(subject: EffectSubject): void {
    effects = effects.filter((effect) => effect.did !== 'refused' || !isAbout(effect, subject))
    for (const [name, { about }] of questions) if (isSame(about, subject)) questions.delete(name)
  }

  function noteRefusal(subject: EffectSubject, result: Extract<ToolResult, { ok: false }>): void {
    settle(subject)
    const { kind, id = null, summary } = subject
    effects.push({ did: 'refused', kind, id, ...(summary === undefined ? {} : { summary }), reason: result.code })
    const { question, answer } = result
    if (question) questions.set(question.name ?? nameOf(subject), { text: question.text, about: subject, answer })
  }

  return {
    note(tool, args, result) {
      lastAnswer = result.answer
      if (!result.ok) return tool.subject ? noteRefusal(tool.subject(args), result) : undefined
      for (const effect of result.effects ?? []) {
        settle({ ...effect, id: effect.id ?? undefined })
        effects.push(effect)
      }
    },
    list: () => effects,
    questions: () => [...questions.values()],
    answer: () => [...questions.values()].at(-1)?.answer ?? lastAnswer,
  }
}

const nameOf = ({ kind, id, summary }: EffectSubject) => `${kind}:${id ?? summary ?? ''}`

function isSame(one: EffectSubject, other: EffectSubject): boolean {
  return isAbout({ ...one, id: one.id ?? null, did: 'refused' }, other)
}
