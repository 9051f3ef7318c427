/** A message as parts, so that each channel can say them in its own way. */
export type MessagePart =
  | { type: 'Plain'; text: string }
  | ({ type: 'Image'; name?: string } & Media)
  | { type: 'At'; target: string; display?: string }
  | { type: 'AtAll' }
  | { type: 'Face'; face_id: string; name?: string }
  | ({ type: 'Voice'; length?: number } & Media)
  | ({ type: 'File'; name: string; size?: number } & Media)
  | { type: 'Quote'; id: string; text?: string }
  | { type: 'Actions'; items: ActionItem[] }
export type MessageChain = MessagePart[]

/** A button: what a platform hands in when it is pressed, and what the person reads on it. */
export interface ActionItem {
  id: string
  label: string
}

/** Where the bytes are: an address that the platform can fetch, the bytes themselves, or a file that a run has made. */
export interface Media {
  url?: string
  base64?: string
  /** Only in what the product itself says: channels bring the file as they can. It is not taken from outside. */
  artifact_id?: string
}

export const MESSAGE_PART_TYPES = [
  'Plain',
  'Image',
  'At',
  'AtAll',
  'Face',
  'Voice',
  'File',
  'Quote',
  'Actions',
] as const
export const CHAIN_MAX_PARTS = 100
export const CHAIN_MAX_TEXT = 20_000
const MAX_ACTIONS = 8
/** Telegram carries no more. */
const MAX_ACTION_ID = 64
const MAX_ID = 255
const MAX_URL = 2_048
/** The body of a request ends before this does. */
const MAX_BASE64 = 256 * 1024

export type ChainReading = { ok: true; chain: MessageChain } | { ok: false; code: string; fault: string }

type Fields = Record<string, unknown>
type PartReader = (fields: Fields) => MessagePart | string

/** What each type needs; a text is what is wrong with it. Other fields are left out. */
const READERS: Record<MessagePart['type'], PartReader> = {
  Plain: ({ text }) =>
    isText(text, CHAIN_MAX_TEXT) ? { type: 'Plain', text } : `text: 1 to ${CHAIN_MAX_TEXT} characters`,
  Image: (fields) => withMedia(fields, (media) => ({ type: 'Image', ...media })),
  At: ({ target, display }) => {
    const id = readId(target)
    return id === undefined ? 'target: the id of a person' : { type: 'At', target: id, ...optionalText({ display }) }
  },
  AtAll: () => ({ type: 'AtAll' }),
  Face: ({ face_id, name }) => {
    const id = readId(face_id)
    return id === undefined ? 'face_id: the id of a face' : { type: 'Face', face_id: id, ...optionalText({ name }) }
  },
  Voice: (fields) => withMedia(fields, (media) => ({ type: 'Voice', ...optionalNumber(fields, 'length'), ...media })),
  File: (fields) => {
    const { name } = fields
    if (!isText(name, MAX_ID)) return 'name: the name of the file'
    return withMedia(fields, (media) => ({ type: 'File', name, ...optionalNumber(fields, 'size'), ...media }))
  },
  Quote: ({ id: given, text }) => {
    const id = readId(given)
    return id === undefined ? 'id: the id of a message' : { type: 'Quote', id, ...optionalText({ text }) }
  },
  Actions: ({ items }) => {
    const read = readActions(items)
    return read ? { type: 'Actions', items: read } : `items: 1 to ${MAX_ACTIONS} of {id, label}`
  },
}

/** Names of actions are bytes to a platform. */
function readActions(items: unknown): ActionItem[] | undefined {
  if (!Array.isArray(items) || items.length === 0 || items.length > MAX_ACTIONS) return undefined
  const read = items.flatMap((item: unknown) => {
    const { id, label } = isFields(item) ? item : {}
    return isText(id, MAX_ACTION_ID) && Buffer.byteLength(id) <= MAX_ACTION_ID && isText(label, 64)
      ? [{ id, label }]
      : []
  })
  return read.length === items.length ? read : undefined
}

/** Reads a text or a chain of parts as it came from outside; what cannot be sent is named by its place and type. */
export function readMessageChain(value: unknown): ChainReading {
  if (typeof value === 'string') return readParts([{ type: 'Plain', text: value }])
  if (!Array.isArray(value)) return refuse('bad_message', 'message is neither a text nor a chain of parts')
  if (value.length === 0) return refuse('empty_message', 'message has no parts')
  if (value.length > CHAIN_MAX_PARTS)
    return refuse('message_too_long', `message has more than ${CHAIN_MAX_PARTS} parts`)
  return readParts(value)
}

function readParts(values: readonly unknown[]): ChainReading {
  const chain: MessageChain = []
  for (const [index, value] of values.entries()) {
    const fields = isFields(value) ? value : {}
    const { type } = fields
    if (!isPartType(type)) {
      const named = typeof type === 'string' ? `"${type.slice(0, 50)}"` : 'without a type'
      return refuse('unknown_part', `message[${index}] is ${named}; there are ${MESSAGE_PART_TYPES.join(', ')}`)
    }
    const part = READERS[type](fields)
    if (typeof part === 'string') return refuse('bad_part', `message[${index}] (${type}) needs ${part}`)
    chain.push(part)
  }
  const text = plainText(chain)
  if (chain.every(saysNothing)) return refuse('empty_message', 'message has no text, and nothing else to show')
  if (text.length > CHAIN_MAX_TEXT)
    return refuse('message_too_long', `message has more than ${CHAIN_MAX_TEXT} characters`)
  return { ok: true, chain }
}

/** A quote points at something, and buttons belong to something; alone they say nothing. */
const saysNothing = (part: MessagePart) =>
  part.type === 'Quote' || part.type === 'Actions' || (part.type === 'Plain' && part.text.trim() === '')

/** How a chain reads where only text goes: in a list, to the model, on a plain channel. */
export function plainText(chain: MessageChain): string {
  return chain.map(wordsOf).join('')
}

/** Only text: then the chain says no more than its text does. */
export function isPlain(chain: MessageChain): boolean {
  return chain.length === 1 && chain[0]?.type === 'Plain'
}

function wordsOf(part: MessagePart): string {
  switch (part.type) {
    case 'Plain':
      return part.text
    case 'At':
      return `@${part.display ?? part.target} `
    case 'AtAll':
      return '@all '
    case 'Face':
      return `[${part.name ?? `Face ${part.face_id}`}]`
    case 'Actions':
      return ''
    case 'Quote':
      return part.text === undefined ? '' : `> ${part.text}\n`
    case 'File':
      return ['[File]', part.name, part.url].filter(Boolean).join(' ')
    case 'Image':
      return ['[Image]', part.name, part.url].filter(Boolean).join(' ')
    default:
      return [`[${part.type}]`, part.url].filter(Boolean).join(' ')
  }
}

const refuse = (code: string, fault: string): ChainReading => ({ ok: false, code, fault })
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const isPartType = (type: unknown): type is MessagePart['type'] => MESSAGE_PART_TYPES.some((known) => known === type)
const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= longest

/** Platforms count with numbers, we with texts. */
function readId(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  return isText(value, MAX_ID) ? value : undefined
}

function optionalText<Name extends string>(given: Record<Name, unknown>): { [name in Name]?: string } {
  const kept = Object.entries(given).filter(([, value]) => isText(value, CHAIN_MAX_TEXT))
  return Object.fromEntries(kept) as { [name in Name]?: string }
}

function optionalNumber<Name extends string>(fields: Fields, name: Name): { [key in Name]?: number } {
  const value = fields[name]
  const kept = typeof value === 'number' && Number.isFinite(value) && value >= 0 ? [[name, value]] : []
  return Object.fromEntries(kept) as { [key in Name]?: number }
}

function withMedia(fields: Fields, build: (media: Media) => MessagePart): MessagePart | string {
  const { url, base64 } = fields
  if (isText(url, MAX_URL) && /^https?:\/\/[^\s]+$/i.test(url)) return build({ url })
  if (isText(base64, MAX_BASE64) && /^(data:[\w.+/-]+;base64,)?[A-Za-z0-9+/]+={0,2}$/.test(base64))
    return build({ base64 })
  return 'url (http or https) or base64'
}
