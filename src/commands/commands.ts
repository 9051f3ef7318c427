import { SCOPES } from '../contracts/caller'
import type { Caller, Scope } from '../contracts/caller'
import { AppError, badRequest } from '../errors'
import type { BotPlatforms } from '../channels/bot-platforms'
import type { PipelineDirectory } from '../planner/pipeline-directory'
import type { Access } from '../access/access'
import { CHANNEL_USAGE, readPlatform, tellSet, wishOf } from './channel-commands'

export const USAGE = `npm run -s punctual -- COMMAND [--json]

  keys create --name NAME --scope read|send|admin [--bot UUID]…   shows the key once; no --bot: every bot
  keys list
  keys revoke ID
  bots create --name NAME [--uuid UUID] [--pipeline UUID]
  bots list
  bots update UUID [--name NAME] [--pipeline UUID]
  bots delete UUID
  pipelines list
${CHANNEL_USAGE}

It works on DATABASE_URL, or on the database that "npm start" runs in PUNCTUAL_DATA_DIR.`

export interface CommandOptions {
  name?: string
  scope?: string
  bot?: string[]
  uuid?: string
  pipeline?: string
  /** Those of the platforms. */
  [name: string]: unknown
}

export interface CommandAnswer {
  data: unknown
  text: string
}

/** Whoever can read the database's password may do everything. */
const OPERATOR: Caller = { kind: 'user', id: 'operator', name: 'operator', scopes: SCOPES, bots: 'all' }

interface Parts {
  access: Access
  pipelines: PipelineDirectory
  platforms: BotPlatforms
  /** From the environment: what is typed on a command line is seen by others on the machine. */
  secret: string | undefined
}
type Command = (
  parts: Parts,
  argument: string | undefined,
  options: CommandOptions,
  more: string | undefined,
) => Promise<CommandAnswer>

const COMMANDS: Record<string, Command> = {
  async 'keys create'({ access }, _argument, { name, scope, bot = [] }) {
    const wanted = { name: need(name, '--name'), scopes: [readScope(scope)], botUuids: bot }
    const { key, record } = await access.createApiKey(OPERATOR, wanted)
    const { id, scopes, botUuids } = record
    const text = `${key}\n\nThis is shown once. id ${id}, scopes ${scopes.join(' ')}, ${nameBots(botUuids)}.`
    return { data: { id, key, name: record.name, scopes, bot_uuids: botUuids }, text }
  },

  async 'keys list'({ access }) {
    const keys = await access.listApiKeys(OPERATOR)
    const rows = keys.map((key) => ({
      id: key.id,
      name: key.name,
      key: `lbk_…${key.lastFour}`,
      scopes: key.scopes.join(' '),
      bots: nameBots(key.botUuids),
      state: key.revokedAt ? `revoked ${key.revokedAt.toISOString()}` : 'active',
    }))
    return { data: rows, text: table(rows) }
  },

  async 'keys revoke'({ access }, id) {
    const key = await access.revokeApiKey(OPERATOR, need(id, 'the id of the key'))
    return { data: { id: key.id, revoked_at: key.revokedAt }, text: `${key.id} (${key.name}) is revoked.` }
  },

  async 'bots create'({ access }, _argument, { name, uuid, pipeline }) {
    const bot = await access.createBot(OPERATOR, { name: need(name, '--name'), uuid, pipelineUuid: pipeline })
    return { data: showBot(bot), text: `${bot.uuid}  ${bot.name} (${bot.pipelineUuid})` }
  },

  async 'bots list'({ access }) {
    const rows = (await access.listBots(OPERATOR)).map(showBot)
    return { data: rows, text: table(rows) }
  },

  async 'bots update'({ access }, uuid, { name, pipeline }) {
    const change = { name, pipelineUuid: pipeline }
    const bot = await access.updateBot(OPERATOR, need(uuid, 'the uuid of the bot'), change)
    return { data: showBot(bot), text: `${bot.uuid}  ${bot.name} (${bot.pipelineUuid})` }
  },

  async 'bots delete'({ access }, uuid) {
    await access.deleteBot(OPERATOR, need(uuid, 'the uuid of the bot'))
    return { data: { deleted: true }, text: `${uuid} is deleted.` }
  },

  async 'channels set'({ platforms, secret }, bot, options, name) {
    const platform = readPlatform(name)
    const uuid = need(bot, 'the uuid of the bot')
    const set = await platforms.set(OPERATOR, uuid, platform, wishOf(platform, options, secret))
    const { settings, madeSecret } = set
    const text = madeSecret === null ? tellSet(platform) : `${madeSecret}\n\nThis is shown once.`
    return { data: { channel: platform, settings, secret: madeSecret }, text }
  },

  async 'channels list'({ platforms }, bot) {
    const found = await platforms.list(OPERATOR, need(bot, 'the uuid of the bot'))
    const rows = found.map(({ channel, health, detail }) => ({ channel, health, detail: detail ?? '' }))
    return { data: rows, text: table(rows) }
  },

  async 'channels remove'({ platforms }, bot, _options, name) {
    const platform = readPlatform(name)
    await platforms.remove(OPERATOR, need(bot, 'the uuid of the bot'), platform)
    return { data: { removed: true }, text: `${platform} is removed.` }
  },

  async 'pipelines list'({ pipelines }) {
    const rows = (await pipelines.list()).map(({ uuid, name, base }) => ({ uuid, name, base }))
    return { data: rows, text: table(rows) }
  },
}

/** One command of the operator's command line. Throws what is wrong with it, with what to do. */
export async function runCommand(
  parts: Parts,
  [subject, verb, argument, more]: string[],
  options: CommandOptions,
): Promise<CommandAnswer> {
  const name = `${subject} ${verb ?? ''}`.trim()
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw unknownCommand(name)
  return command(parts, argument, options, more)
}

/** Half a command names the other halves; anything else shows them all. */
function unknownCommand(name: string): AppError {
  const begun = Object.keys(COMMANDS).filter((known) => known.startsWith(`${name} `))
  if (begun.length === 0) return new AppError('unknown_command', `there is no command "${name}"`, { hint: USAGE })
  const verbs = begun.map((known) => known.slice(name.length + 1)).join(', ')
  return new AppError('unfinished_command', `"${name}" needs one of: ${verbs}`, { hint: USAGE })
}

function need(value: string | undefined, what: string): string {
  if (value === undefined || value.trim() === '') throw new AppError('missing', `${what} is missing`, { hint: USAGE })
  return value
}

function readScope(scope: string | undefined): Scope {
  const known = SCOPES.find((name) => name === scope)
  if (!known) throw badRequest('bad_scope', `--scope is one of ${SCOPES.join(', ')}`)
  return known
}

const nameBots = (uuids: readonly string[]) => (uuids.length === 0 ? 'every bot' : uuids.join(' '))
const showBot = (bot: { uuid: string; name: string; pipelineUuid: string }) => ({
  uuid: bot.uuid,
  name: bot.name,
  pipeline: bot.pipelineUuid,
})

function table(rows: readonly Record<string, string>[]): string {
  const [first] = rows
  if (!first) return 'There are none.'
  const names = Object.keys(first)
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => row[name]!.length)))
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  return [line(names), ...rows.map((row) => line(names.map((name) => row[name]!)))].join('\n')
}
