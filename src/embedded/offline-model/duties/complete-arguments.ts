import type { JsonObject, JsonValue } from '../../../contracts/words'
import { lineOf, readObject } from '../conversation'
import type { Conversation } from '../conversation'
import { isObject, textField, textListField } from '../fields'

const SUBJECT_CHARACTERS = 300

/** Fills what is required and missing with what the steps before were about. */
export function completeArguments({ text }: Conversation): string {
  const schema = readObject(lineOf(text, 'Schema') ?? '')
  const draft = readObject(lineOf(text, 'Draft') ?? '')
  const missing = textListField(schema, 'required').filter((name) => !Object.hasOwn(draft, name))
  const subject = subjectOf(lineOf(text, 'Results before') ?? '')
  const added = subject === '' ? [] : missing.map((name) => [name, subject])
  return JSON.stringify({ ...draft, ...Object.fromEntries(added) })
}

/** The list may be cut in the middle; then it is no JSON, and nothing is added. */
function subjectOf(written: string): string {
  const { results } = readObject(`{"results":${written}}`)
  const about = Array.isArray(results) ? results.map(aboutWhat).filter(Boolean) : []
  return about.join('; ').slice(0, SUBJECT_CHARACTERS)
}

function aboutWhat(result: JsonValue): string {
  const data = isObject(result) && isObject(result['data']) ? result['data'] : {}
  const [topic] = ['query', 'prompt', 'app_name', 'full_name', 'summary']
    .map((name) => textField(data, name))
    .filter(Boolean)
  return [topic, firstTitle(data)].filter(Boolean).join(': ')
}

function firstTitle(data: JsonObject): string {
  const first = Array.isArray(data['results']) ? data['results'][0] : undefined
  return isObject(first) ? textField(first, 'title') : ''
}
