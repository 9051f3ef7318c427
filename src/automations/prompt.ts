import { createHash } from 'node:crypto'
import { DateTime } from 'luxon'
import type { Automation, PromptRef } from './contract'
import type { JsonObject, Language } from '../contracts/words'
import { loadPrompt, renderTemplate } from '../planner'

const LANGUAGE_NAMES: Record<Language, string> = { zh: '中文', en: 'English' }

/** What the model is told when an automation is due, and how records call that text without repeating it. */
export function renderAutomationPrompt(
  { name, message }: Pick<Automation, 'name' | 'message'>,
  { now, timezone, language }: { now: Date; timezone: string; language: Language },
): { rendered: string; variables: JsonObject; promptRef: PromptRef } {
  const prompt = loadPrompt('automation_turn')
  const template = prompt.user ?? ''
  const variables = {
    name,
    message,
    now: DateTime.fromJSDate(now, { zone: timezone }).toFormat('yyyy-MM-dd HH:mm'),
    timezone,
    language: LANGUAGE_NAMES[language],
  }
  const sha256 = createHash('sha256').update(template).digest('hex')
  return {
    rendered: renderTemplate(template, variables),
    variables,
    promptRef: { id: prompt.ref ?? prompt.id, version: prompt.version, sha256 },
  }
}
