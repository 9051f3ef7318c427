import type { Conversation } from '../conversation'

const LONGEST_MEMORY = 1_500
const LONGEST_FACT = 200
/** A question or a greeting is nothing to remember; what somebody says of themselves or decides is. */
const SMALL_TALK = /^(?:你好|您好|嗨|谢谢|好的?|嗯|hi|hello|hey|thanks|thank you|ok|okay)[\s,.!，。！~]*$|[?？]\s*$/i

/** By rule: what was remembered, and what the person said since; the oldest goes when there is no more room. */
export function summarizeMemory({ text }: Conversation): string {
  const [, before = '', messages = ''] = /Remembered so far:\n([^]*?)\n\s*The next messages:\n([^]*)$/.exec(text) ?? []
  const known = before.split('\n').map((line) => line.replace(/^-\s*/, '').trim())
  const said = messages.split('\n').flatMap((line) => personSaid(line))
  const facts = [...new Set([...known, ...said])].filter((fact) => fact !== '' && !NOTHING.test(fact))
  while (facts.join('\n').length > LONGEST_MEMORY) facts.shift()
  return facts.map((fact) => `- ${fact}`).join('\n') || '-'
}

const NOTHING = /^(?:-|\(none\)|\(nothing\)|nothing|none|无|没有)\.?$/i

function personSaid(line: string): string[] {
  const said = /^\W*(?:user|person)\b[^:：]{0,40}[:：]\s*(.+)$/i.exec(line.trim())?.[1]?.trim()
  return said === undefined || SMALL_TALK.test(said) ? [] : [said.slice(0, LONGEST_FACT)]
}
