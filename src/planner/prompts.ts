import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'secure-json-parse'
import { AppError } from '../errors'

/** A template: `{{name}}` stands for a variable. `user` is there when the prompt is a whole request of its own. */
export interface Prompt {
  id: string
  /** What records call it, where that is another name than the file's. */
  ref?: string
  version: number
  system: string
  user?: string
}

/** Text that an operator lays over the prompts: `global` over all of them, the others over the prompt they name. */
export type Overlays = Readonly<Record<string, string>>

export type TemplateVariables = Readonly<Record<string, string | number | boolean>>

const PROMPT_NAME = /^[a-z][a-z0-9_]{0,63}$/
const loaded = new Map<string, Prompt>()

/** Reads a template once; it lies beside this file in the source and in the build alike. */
export function loadPrompt(name: string): Prompt {
  const known = loaded.get(name)
  if (known) return known
  if (!PROMPT_NAME.test(name)) throw new AppError('unknown_prompt', 'a prompt is named in small letters, digits and _')
  const prompt = readPrompt(name)
  loaded.set(name, prompt)
  return prompt
}

/** The prompt's own words first, then the global overlay, then the prompt's overlay; always in this order. */
export function composeSystem(prompt: Prompt, overlays: Overlays | undefined, name: string): string {
  const names = name === 'global' ? ['global'] : ['global', name]
  const texts = names.map((key) => (overlays && Object.hasOwn(overlays, key) ? overlays[key] : undefined))
  return [prompt.system, ...texts]
    .map((text) => text?.trim())
    .filter(Boolean)
    .join('\n\n')
}

/** Fills in the variables in one pass: a value that looks like a placeholder stays what it is. */
export function renderTemplate(text: string, variables: TemplateVariables): string {
  return text.replaceAll(/\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g, (_placeholder, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (value === undefined) throw new AppError('missing_variable', `the template needs the variable ${name}`)
    return String(value)
  })
}

function readPrompt(name: string): Prompt {
  const value: unknown = parse(readPromptFile(name))
  if (isPrompt(value) && value.id === name) return Object.freeze(value)
  throw new AppError('bad_prompt', `prompts/${name}.json: expected {id: "${name}", version, system, user?}`)
}

function readPromptFile(name: string): string {
  try {
    return readFileSync(path.join(__dirname, 'prompts', `${name}.json`), 'utf8')
  } catch (error) {
    throw new AppError('unknown_prompt', `there is no prompt ${name}`, { cause: error })
  }
}

function isPrompt(value: unknown): value is Prompt {
  if (typeof value !== 'object' || value === null) return false
  const { id, version, system, user } = value as Record<keyof Prompt, unknown>
  const isUser = user === undefined || typeof user === 'string'
  return typeof id === 'string' && typeof version === 'number' && typeof system === 'string' && isUser
}
