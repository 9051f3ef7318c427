import { detectLanguage } from '../../time'
import { say } from '../conversation'
import type { Conversation, Step } from '../conversation'
import { phraseResults } from '../phrase-results'
import { usePlugins } from '../plugins/use-plugins'
import { readRequest } from '../reminders/set-reminder'
import { toMessageText } from '../reminders/tools'
import { toPlainChinese } from '../words/chinese-text'

const MARK = '[automation]'
/** What the prompt says around the person's instruction. */
const FRAME = /\n\s*\n\(The automation [^]*\)\s*$/

/** The instruction of an automation that is due; undefined in an ordinary turn. */
export function dueInstruction(text: string): string | undefined {
  if (!text.startsWith(MARK)) return undefined
  return text.slice(MARK.length).replace(FRAME, '').trim()
}

/** Nobody is typing: a reminder is said, what a plugin can do is begun, and of the rest the person is told honestly. */
export function answerDueAutomation(instruction: string, asked: Conversation, tools: ReadonlySet<string>): Step {
  const conversation = { ...asked, text: instruction, language: detectLanguage(instruction) }
  const { language, results } = conversation
  if (results.length > 0) return { text: phraseResults(results, language) }
  const reminder = reminderIn(instruction, language)
  if (reminder !== undefined) return { text: toMessageText(reminder, language) }
  const cannot = say(conversation, {
    zh: `到时间了：${instruction}\n（我是离线模型，这件事我自己做不了。）`,
    en: `It is time: ${instruction}\n(I am the offline model and cannot do this by myself.)`,
  })
  return usePlugins(conversation, tools) ?? cannot
}

function reminderIn(instruction: string, language: 'zh' | 'en'): string | undefined {
  const asks = /提醒|叫我|叫醒|\b(?:remind|wake|ping|nudge)\s+me\b/i.test(toPlainChinese(instruction))
  if (!asks) return undefined
  return readRequest(instruction, language)?.what ?? instruction
}
