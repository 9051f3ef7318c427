import { v7 as uuidv7 } from 'uuid'
import { badRequest, conflict, notFound } from '../errors'
import type { PipelineStore } from './pipeline-store'
import { findShipped, listPipelines } from './pipelines'
import type { Pipeline } from './pipelines'
import type { Overlays } from './prompts'

export interface PipelineWish {
  name?: string
  /** The shipped profile it is made from. */
  base?: string
  /** Words of its own, after those of its base. */
  instructions?: string
  overlays?: Record<string, string>
  /** Only these of the base's tools; empty means all of them. */
  tools?: string[]
  model?: string | null
  /** Whether people whom the bot does not list are offered plugins and MCP tools on public platforms. */
  tools_for_strangers?: boolean
}

export interface PipelineView extends Required<PipelineWish> {
  uuid: string
  shipped: boolean
}

/** Agent profiles: those that ship, and those an administrator made from them. */
export interface PipelineDirectory {
  /** Throws `unknown_pipeline`. */
  get(uuid: string): Promise<Pipeline>
  knows(uuid: string): Promise<boolean>
  list(): Promise<PipelineView[]>
  create(wish: PipelineWish & { uuid?: string; name: string }): Promise<PipelineView>
  update(uuid: string, wish: PipelineWish): Promise<PipelineView>
  remove(uuid: string): Promise<void>
}

type Row = NonNullable<Awaited<ReturnType<PipelineStore['find']>>>

export function createPipelineDirectory(store: PipelineStore): PipelineDirectory {
  return {
    async get(uuid) {
      const shipped = findShipped(uuid)
      if (shipped) return shipped
      const row = await store.find(uuid)
      if (!row) throw await unknown(store, uuid)
      return toPipeline(row)
    },

    knows: async (uuid) => findShipped(uuid) !== undefined || (await store.find(uuid)) !== null,

    async list() {
      return [...listPipelines().map(showShipped), ...(await store.list()).map(showRow)]
    },

    async create({ uuid = uuidv7(), ...wish }) {
      check(wish)
      const fields = { base: 'assistant', instructions: '', overlays: {}, tools: [], model: null, ...toRow(wish) }
      const row = findShipped(uuid) ? null : await store.create({ uuid, ...fields })
      if (!row) throw conflict('pipeline_exists', `there is a pipeline ${uuid} already`)
      return showRow(row)
    },

    async update(uuid, wish) {
      refuseShipped(uuid)
      check(wish)
      const row = await store.update(uuid, toRow(wish))
      if (!row) throw notFound(`pipeline ${uuid}`)
      return showRow(row)
    },

    async remove(uuid) {
      refuseShipped(uuid)
      if (await store.isUsed(uuid))
        throw conflict('pipeline_in_use', 'a bot still uses this pipeline', 'Change the bot.')
      if (!(await store.remove(uuid))) throw notFound(`pipeline ${uuid}`)
    },
  }
}

/** The base with words, tools and a model of its own. A base that no longer ships is an error of this installation. */
function toPipeline(row: Row): Pipeline {
  const base = findShipped(row.base)
  if (!base) throw badRequest('unknown_pipeline', `the base ${row.base} of this pipeline no longer ships`)
  const overlays = { ...base.overlays, ...(row.overlays as Overlays) }
  return {
    ...base,
    uuid: row.uuid,
    name: row.name,
    overlays: row.instructions === '' ? overlays : { ...overlays, [base.prompt]: row.instructions },
    tools: row.tools.length > 0 ? row.tools : base.tools,
    ...(row.model === null ? {} : { model: row.model }),
    toolsForStrangers: row.toolsForStrangers,
  }
}

function check({ base, instructions = '', overlays = {} }: PipelineWish): void {
  if (base !== undefined && !findShipped(base)) {
    throw badRequest('unknown_base', `there is no shipped pipeline "${base}"`, `Use ${shippedNames()}.`)
  }
  // What stands in double braces is filled in from the conversation; words of others have nothing to fill in.
  if ([instructions, ...Object.values(overlays)].some((text) => text.includes('{{'))) {
    throw badRequest('bad_instructions', 'instructions and overlays may not hold "{{"')
  }
}

function refuseShipped(uuid: string): void {
  if (findShipped(uuid)) throw conflict('pipeline_shipped', 'a shipped pipeline cannot be changed', 'Make one from it.')
}

async function unknown(store: PipelineStore, uuid: string) {
  const own = (await store.list()).map((row) => row.uuid)
  const names = [shippedNames(), ...own].join(', ')
  return badRequest('unknown_pipeline', `there is no pipeline "${uuid}"`, `The pipelines there are: ${names}.`)
}

const shippedNames = () =>
  listPipelines()
    .map(({ uuid }) => uuid)
    .join(', ')

/** Without the fields that were left out, which must not overwrite. */
const FIELDS = ['name', 'base', 'instructions', 'overlays', 'tools', 'model', 'tools_for_strangers'] as const

/** What was given of what there is; a body may hold anything else besides. */
function defined<Wish extends PipelineWish>(wish: Wish): Wish {
  const given = FIELDS.filter((field) => wish[field] !== undefined).map((field) => [field, wish[field]])
  return Object.fromEntries(given) as Wish
}

/** The same as the row keeps it. */
function toRow<Wish extends PipelineWish>(wish: Wish) {
  const { tools_for_strangers: toolsForStrangers, ...rest } = defined(wish)
  return { ...rest, ...(toolsForStrangers === undefined ? {} : { toolsForStrangers }) }
}

function showShipped({ uuid, name, overlays, tools, model, toolsForStrangers = false }: Pipeline): PipelineView {
  const own = { ...overlays } as Record<string, string>
  return {
    uuid,
    name,
    base: uuid,
    instructions: '',
    overlays: own,
    tools: tools === '*' ? [] : [...tools],
    model: model ?? null,
    shipped: true,
    tools_for_strangers: toolsForStrangers,
  }
}

function showRow({ overlays, toolsForStrangers, uuid, name, base, instructions, tools, model }: Row): PipelineView {
  const own = { overlays: overlays as Record<string, string>, tools_for_strangers: toolsForStrangers, shipped: false }
  return { uuid, name, base, instructions, tools, model, ...own }
}
