import fs from 'node:fs'
import path from 'node:path'
import type { Effect } from '../src/contracts/effect'
import { LANGUAGES } from '../src/contracts/words'
import type { Language } from '../src/contracts/words'

/** What an effect must look like; what is left out may be anything. `summary` is a part of it. */
export type Wanted = Partial<Pick<Effect, 'did' | 'kind' | 'reason' | 'summary'>>

/** What the person says, and what must and must not have happened when they are answered. */
export interface Turn {
  say: string
  must?: Wanted[]
  /** An empty one is any effect at all. */
  must_not?: Wanted[]
}

/** One conversation with what it must do. */
export interface Dialogue {
  id: string
  kind: string
  lang: Language
  /** Reminders that came just before it begins. */
  sent?: string[]
  turns: Turn[]
  /** False when the offline model, which goes by rules, is not expected to manage it. */
  offline?: false
}

const FOLDER = path.resolve(__dirname, 'dialogues')
/** The compiled program has no such files beside it. */
const SOURCE = path.resolve(__dirname, '../../eval/dialogues')

/** Every dialogue, one a line; a line that is none is named. */
export function readDialogues(folder = fs.existsSync(FOLDER) ? FOLDER : SOURCE): Dialogue[] {
  return fs
    .readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .flatMap((file) => {
      const lines = fs.readFileSync(path.join(folder, file), 'utf8').split('\n')
      return lines.flatMap((line, at) => (line.trim() === '' ? [] : [readDialogue(line, `${file}:${at + 1}`)]))
    })
}

function readDialogue(line: string, where: string): Dialogue {
  const read = JSON.parse(line) as Partial<Dialogue>
  const isWhole = read.id && read.kind && LANGUAGES.some((known) => known === read.lang) && read.turns?.length
  if (!isWhole) throw new Error(`${where} is no dialogue: it needs id, kind, lang and turns`)
  return read as Dialogue
}

/** What is wrong with the effects of a turn, in words; empty when nothing is. */
export function judge({ must = [], must_not: mustNot = [] }: Turn, effects: readonly Effect[]): string[] {
  const missing = must.filter((wanted) => !effects.some((effect) => isLike(effect, wanted)))
  const unwanted = mustNot.filter((wanted) => effects.some((effect) => isLike(effect, wanted)))
  return [
    ...missing.map((wanted) => `missing ${JSON.stringify(wanted)}`),
    ...unwanted.map((wanted) => `unwanted ${JSON.stringify(wanted)}`),
  ]
}

function isLike(effect: Effect, { did, kind, reason, summary }: Wanted): boolean {
  return (
    (did === undefined || effect.did === did) &&
    (kind === undefined || effect.kind === kind) &&
    (reason === undefined || effect.reason === reason) &&
    (summary === undefined || (effect.summary ?? '').toLowerCase().includes(summary.toLowerCase()))
  )
}
