import { Type } from 'typebox'
import type { Static } from 'typebox'
import { subjectOf, summaryOf } from '../../contracts/effect'
import { OFFERED_TO_USER } from '../../contracts/offered'
import { refuse } from '../../contracts/refusal'
import type { Tool, ToolContext } from '../../contracts/tool'
import type { JsonObject, Language } from '../../contracts/words'
import { AppError } from '../../errors'
import { describeTime } from '../../time'
import { askWhichRun, titleOf } from '../texts'
import type { PluginHost } from '../plugins/contract'
import type { Run, RunStep } from '../contract'
import type { Runs } from '../runs'

const MOST = 20

export interface RunToolParts {
  runs: Runs
  plugins: Pick<PluginHost, 'find'>
}

interface Shown {
  run: Run
  steps: RunStep[]
}

const ListParameters = Type.Object({}, { additionalProperties: false })

/** The work under way in this chat whose results the person still waits for. */
export function createListRuns(parts: RunToolParts): Tool {
  return {
    name: 'list_runs',
    description:
      'Lists the work of tools that is under way in this chat (drawings, searches, plans) with run_id and when the person will hear.',
    parameters: ListParameters,
    ...OFFERED_TO_USER,
    async execute(_args, context) {
      const found = await listRunning(parts, context)
      const shown = found.map((each) => describe(parts, each, context))
      return { ok: true, data: { count: shown.length, runs: shown } }
    },
  }
}

const CancelParameters = Type.Object(
  {
    run_id: Type.Optional(Type.String({ description: 'Its run_id, when a result before has named it ("that one").' })),
    words: Type.Optional(
      Type.String({ description: 'What it is, in the words of the person: the tool or what it works on.' }),
    ),
  },
  { additionalProperties: false },
)

/** Stops work whose result was promised; says honestly when it was told already. */
export function createCancelRun(parts: RunToolParts): Tool {
  return {
    name: 'cancel_run',
    description:
      'Stops work of tools that is under way in this chat and takes back the promise of its result ("取消画图"). By run_id or words; with neither the only one is meant.',
    parameters: CancelParameters,
    subject: ({ run_id: id }) => subjectOf('run', { id }),
    ...OFFERED_TO_USER,
    async execute(args, context) {
      const wish = args as Static<typeof CancelParameters>
      const running = await listRunning(parts, context)
      if (running.length === 0) return refuse('nothing_running', 'No work is under way in this chat.')
      const [meant, ...others] = running.filter((shown) => isMeant(parts, shown, wish))
      if (!meant && wish.run_id !== undefined) return refuse('too_late', 'It has ended, or is none of this chat.')
      if (!meant || others.length > 0) {
        const shown = meant ? [meant, ...others] : running
        const names = shown.map((each) => wordsOf(parts, each, context))
        return {
          ...refuse(meant ? 'which_one' : 'not_found', 'Ask which one, then give its run_id.', {
            runs: shown.map((each) => describe(parts, each, context)),
          }),
          question: { text: askWhichRun(names, context.language) },
        }
      }
      const { turnId, fence } = context
      const won = await parts.runs
        .cancel(meant.run.id, { reason: 'cancelled', turn: { turnId, fence } })
        .catch(orTooLate)
      if (!won) return refuse('too_late', 'It has ended already; its result was told.')
      const summary = summaryOf(meant.steps.map(({ aiName }) => aiName).join(', '))
      return {
        ok: true,
        effects: [{ did: 'cancelled', kind: 'run', id: meant.run.id, summary }],
        data: { cancelled: true, ...describe(parts, meant, context) },
      }
    },
  }
}

function orTooLate(error: unknown): false {
  if (error instanceof AppError && (error.code === 'not_found' || error.status === 409)) return false
  throw error
}

const listRunning = ({ runs }: RunToolParts, { session }: ToolContext): Promise<Shown[]> =>
  runs.list({ bots: 'all', sessionKey: session.sessionKey, status: 'running', limit: MOST })

/** The name of the tool as people say it, its arguments and its reason are what words may mean. */
function isMeant(
  parts: RunToolParts,
  { run, steps }: Shown,
  { run_id: id, words }: Static<typeof CancelParameters>,
): boolean {
  if (id !== undefined) return run.id === id
  if (words === undefined) return true
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return steps.some(({ aiName, draftArgs, reason }) => {
    const names = [aiName.replaceAll('_', ' '), nameOf(parts, aiName, 'zh'), nameOf(parts, aiName, 'en'), reason ?? '']
    const text = [...names, ...Object.values(draftArgs).filter((value) => typeof value === 'string')].join(' ')
    return wanted.every((word) => text.toLowerCase().includes(word))
  })
}

const nameOf = ({ plugins }: RunToolParts, aiName: string, language: Language) =>
  titleOf(aiName, language, plugins.find(aiName)?.meta)

const wordsOf = (parts: RunToolParts, { steps }: Shown, { language }: ToolContext) =>
  steps.map(({ aiName, reason }) => reason ?? nameOf(parts, aiName, language)).join(', ')

function describe(parts: RunToolParts, shown: Shown, context: ToolContext): JsonObject {
  const { session, now, language } = context
  const due = shown.steps.flatMap(({ feedbackAt, status }) => (feedbackAt && status !== 'reported' ? [feedbackAt] : []))
  const next = due.sort((one, other) => one.getTime() - other.getTime())[0]
  const when = next && describeTime(next, now, session.timezone, language)
  return {
    run_id: shown.run.id,
    what: wordsOf(parts, shown, context),
    feedback_at: when?.local ?? null,
    phrase: when?.phrase ?? null,
  }
}
