import { Ajv } from 'ajv'
import { parse } from 'secure-json-parse'
import type { PluginConfig } from './contract'
import { createInputCheck, describe } from './input-check'
import type { InputCheck } from './input-check'
import { messageOf } from '../../errors'

/** `local__` and the name together are what a model may call a tool: 64 characters. */
export const PLUGIN_NAME = /^[A-Za-z0-9_]{1,57}$/

const CONFIG_SCHEMA = {
  type: 'object',
  required: ['name', 'description', 'inputSchema'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', pattern: PLUGIN_NAME.source },
    description: { type: 'string', minLength: 1, maxLength: 4_000 },
    inputSchema: {
      type: 'object',
      required: ['type'],
      properties: { type: { const: 'object' }, properties: { type: 'object' } },
    },
    timeoutMs: { type: 'integer', minimum: 100, maximum: 3_600_000, default: 60_000 },
    cooldownMs: { type: 'integer', minimum: 0, maximum: 86_400_000, default: 0 },
    idempotent: { type: 'boolean', default: false },
    deferred: { type: 'boolean', default: false },
    settings: {
      type: 'array',
      items: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*\\??$' },
      maxItems: 50,
      default: [],
    },
    meta: {
      type: 'object',
      properties: { memoryMb: { type: 'integer', minimum: 32, maximum: 1_024 } },
      default: {},
    },
  },
} as const

export interface CheckedConfig {
  config: PluginConfig
  checkInput: InputCheck
}

export type PluginConfigReader = (text: string) => CheckedConfig

/** Reads the text of a `config.json`; throws with the reason when it cannot be used. */
export function createPluginConfigReader(): PluginConfigReader {
  const isConfig = new Ajv({ useDefaults: true, strict: false }).compile<PluginConfig>(CONFIG_SCHEMA)
  return (text) => {
    const config: unknown = parse(text.replace(/^\uFEFF/, ''), { protoAction: 'error', constructorAction: 'error' })
    if (!isConfig(config)) throw new Error(`config.json: ${describe(isConfig.errors)}`)
    return { config, checkInput: compileInput(config) }
  }
}

function compileInput(config: PluginConfig): InputCheck {
  try {
    return createInputCheck(config.inputSchema)
  } catch (error) {
    throw new Error(`config.json: inputSchema: ${messageOf(error)}`, { cause: error })
  }
}

export interface SettingNames {
  required: string[]
  optional: string[]
}

/** `NAME` must be set before the handler runs, `NAME?` may be. */
export function readSettingNames(settings: readonly string[]): SettingNames {
  const isOptional = (name: string) => name.endsWith('?')
  return {
    required: settings.filter((name) => !isOptional(name)),
    optional: settings.filter(isOptional).map((name) => name.slice(0, -1)),
  }
}
