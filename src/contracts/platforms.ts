import type { LauncherType } from './words'

/** Something an administrator says to put a bot on a platform. */
export interface PlatformField {
  name: string
  description: string
  /** Sealed at rest and never shown; on the command line it comes by the environment. */
  secret?: true
}

export interface PlatformEntry {
  /** As people write it. */
  title: string
  fields: readonly PlatformField[]
  /** Whether strangers can find a bot there by themselves; else it is spoken to through a server of one's own. */
  isPublic: boolean
  /** Whether a worker holds a long-lived connection to it. */
  connects: boolean
  /** How it proves itself when it calls us, and the most that it may hand in before that was looked at. */
  inbound: { proof: string; maxBytes: number }
  /** Whether somebody can have this id there. */
  reaches(launcherType: LauncherType, launcherId: string): boolean
}

const KB = 1_024

/** Every outside platform. A new one is an entry here and its folder in src/channels; all else follows from this list. */
export const PLATFORMS = {
  webhook: {
    title: 'Webhook',
    fields: [
      { name: 'url', description: "Where the bot's messages go, signed by Standard Webhooks." },
      {
        name: 'secret',
        description:
          '`whsec_…`. Absent: the present one stays, or one is made and shown once. ' +
          'A new one replaces the present, which signs for 24 h more.',
        secret: true,
      },
    ],
    isPublic: false,
    connects: false,
    // Files come with the message.
    inbound: { proof: 'webhook-signature', maxBytes: 256 * KB },
    reaches: () => true,
  },
  telegram: {
    title: 'Telegram',
    fields: [
      { name: 'token', description: 'The token that BotFather gives.', secret: true },
      { name: 'mode', description: '`polling` (default) or `webhook`.' },
      { name: 'webhook_url', description: 'Where Telegram reaches /api/v1/channels/telegram/{bot} of ours.' },
      { name: 'api_root', description: 'Another Bot API server than api.telegram.org.' },
    ],
    isPublic: true,
    connects: true,
    // A text of 4,096 that answers another as long, all of it escaped, takes half of it.
    inbound: { proof: 'x-telegram-bot-api-secret-token', maxBytes: 128 * KB },
    reaches: (launcherType, launcherId) => (launcherType === 'group' ? /^-\d{1,20}$/ : /^\d{1,20}$/).test(launcherId),
  },
  onebot: {
    title: 'OneBot',
    fields: [
      { name: 'url', description: '`ws://…` is the forward WebSocket, `http://…` the HTTP API.' },
      { name: 'access_token', description: 'The same as on the other side.', secret: true },
    ],
    isPublic: true,
    connects: true,
    inbound: { proof: 'x-signature', maxBytes: 128 * KB },
    reaches: (_launcherType, launcherId) => /^\d{1,20}$/.test(launcherId),
  },
} as const satisfies Record<string, PlatformEntry>

export type PlatformName = keyof typeof PLATFORMS
export const PLATFORM_NAMES = Object.keys(PLATFORMS) as PlatformName[]
export const platformEntry = (name: PlatformName): PlatformEntry => PLATFORMS[name]
export const isPlatformName = (name: unknown): name is PlatformName => PLATFORM_NAMES.some((known) => known === name)
