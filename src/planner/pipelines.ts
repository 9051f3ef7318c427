import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'secure-json-parse'
import type { Tool } from '../contracts/tool'
import type { Language } from '../contracts/words'
import { AppError, badRequest } from '../errors'
import { loadPrompt } from './prompts'
import type { Overlays } from './prompts'

/** An agent profile: what it is told, which tools it may use, how it speaks. */
export interface Pipeline {
  uuid: string
  name: string
  prompt: string
  tools: '*' | string[]
  overlays: Overlays
  /** It speaks this language alone. */
  language?: Language
  model?: string
  /** Whether people whom the bot does not list are offered plugins and MCP tools on public platforms. */
  toolsForStrangers?: boolean
}

let shipped: ReadonlyMap<string, Pipeline> | undefined

export function listPipelines(): Pipeline[] {
  return [...pipelines().values()]
}

/** One of those that ship. */
export function findShipped(uuid: string): Pipeline | undefined {
  return pipelines().get(uuid)
}

export function getPipeline(uuid: string): Pipeline {
  const pipeline = pipelines().get(uuid)
  if (pipeline) return pipeline
  const names = [...pipelines().keys()].join(', ')
  throw badRequest('unknown_pipeline', 'there is no such pipeline', `The pipelines there are: ${names}.`)
}

/** The tools a pipeline may use, in the order they were given; what reaches outside is not for strangers unless it says so. */
export function toolsOf(pipeline: Pipeline, tools: Tool[], { forStranger = false } = {}): Tool[] {
  const { tools: allowed, toolsForStrangers = false } = pipeline
  const own = allowed === '*' ? [...tools] : tools.filter(({ name }) => allowed.includes(name))
  return forStranger && !toolsForStrangers ? own.filter(({ reachesOutside }) => !reachesOutside) : own
}

/** Whether the one offers no tool that the other does not. */
export function isWithin(inner: Pipeline, outer: Pipeline): boolean {
  if (inner.toolsForStrangers && !outer.toolsForStrangers) return false
  if (outer.tools === '*') return true
  const { tools } = outer
  return inner.tools !== '*' && inner.tools.every((name) => tools.includes(name))
}

/** Read once, all together: a profile that cannot be used is found at the first look, not in someone's turn. */
function pipelines(): ReadonlyMap<string, Pipeline> {
  if (shipped) return shipped
  const folder = path.join(__dirname, 'pipelines')
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  const read = files.sort().map((file) => readPipeline(folder, file))
  shipped = new Map(read.map((pipeline) => [pipeline.uuid, pipeline]))
  return shipped
}

function readPipeline(folder: string, file: string): Pipeline {
  const value: unknown = parse(readFileSync(path.join(folder, file), 'utf8'))
  if (!isPipeline(value)) throw new AppError('bad_pipeline', `pipelines/${file} is no pipeline`)
  loadPrompt(value.prompt)
  return Object.freeze(value)
}

function isPipeline(value: unknown): value is Pipeline {
  if (typeof value !== 'object' || value === null) return false
  const { uuid, name, prompt, tools, overlays } = value as Record<keyof Pipeline, unknown>
  const texts = [uuid, name, prompt].every((text) => typeof text === 'string')
  const areTools = tools === '*' || (Array.isArray(tools) && tools.every((tool) => typeof tool === 'string'))
  return texts && areTools && typeof overlays === 'object' && overlays !== null
}
