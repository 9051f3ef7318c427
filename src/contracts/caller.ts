/** `read` looks, `send` chats and promises, `admin` manages bots and keys; each includes the ones before. */
export const SCOPES = ['read', 'send', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Who is asking: a signed-in person or a program with a key, and which bots they may see. */
export interface Caller {
  kind: 'user' | 'api_key'
  id: string
  name: string
  scopes: readonly Scope[]
  bots: 'all' | readonly string[]
}

export const maySeeBot = ({ bots }: Pick<Caller, 'bots'>, botUuid: string): boolean =>
  bots === 'all' || bots.includes(botUuid)

/** How every API key begins. */
export const API_KEY_PREFIX = 'lbk_'
