import type { MessageChain, MessagePart } from '../../contracts/message-chain'
import { plainText } from '../../contracts/message-chain'
import type { Calls } from '../send-parts'
import { WORDS_FOR_BUTTONS } from '../../reminders'
import { splitText } from '../split-text'

/** OneBot v11: a message is a list of these. */
export interface Segment {
  type: string
  data: Record<string, string | number | undefined>
}

/** One action: a message of segments, or a file, for which OneBot has actions of their own. */
export type OneBotCall =
  { kind: 'message'; segments: Segment[] } | { kind: 'file'; name: string; file: string; words: string }

const TEXT_LIMIT = 4_500
/** Only here: no message of OneBot has such a segment. */
const UPLOAD = 'upload'

/** A chain as messages of segments: one, or several when its text is too long for one. */
export function toSegments(chain: MessageChain, isGroup: boolean): Calls<OneBotCall> {
  const degraded: string[] = []
  const segments = chain.flatMap((part) => {
    const segment = toSegment(part, isGroup)
    if (segment) return [segment]
    degraded.push(part.type)
    return [text(plainText([part]))]
  })
  return { calls: cutLong(joinTexts(segments)).map(toCall), degraded }
}

const text = (words: string): Segment => ({ type: 'text', data: { text: words } })

/** Undefined when OneBot has no way to show it: files go by an action of their own, and everybody is only in a group. */
function toSegment(part: MessagePart, isGroup: boolean): Segment | undefined {
  switch (part.type) {
    case 'Plain':
      return text(part.text)
    case 'At':
      return isGroup ? { type: 'at', data: { qq: part.target } } : undefined
    case 'AtAll':
      return isGroup ? { type: 'at', data: { qq: 'all' } } : undefined
    case 'Face':
      return /^\d+$/.test(part.face_id) ? { type: 'face', data: { id: part.face_id } } : undefined
    case 'Quote':
      return { type: 'reply', data: { id: part.id } }
    case 'Actions':
      return text(`\n${WORDS_FOR_BUTTONS[/\p{Script=Han}/u.test(part.items[0]?.label ?? '') ? 'zh' : 'en']}`)
    case 'Image':
      return withFile('image', part)
    case 'Voice':
      return withFile('record', part)
    case 'File':
      return part.base64 === undefined ? undefined : upload(part, part.base64)
    default:
      return undefined
  }
}

const upload = (part: MessagePart & { name: string }, base64: string): Segment => ({
  type: UPLOAD,
  data: { name: part.name, file: bytesOf(base64), words: plainText([part]) },
})
const bytesOf = (base64: string) => `base64://${base64.replace(/^data:[^,]*,/, '')}`

function toCall(segments: Segment[]): OneBotCall {
  const [{ type, data } = { type: '', data: {} }] = segments
  if (type !== UPLOAD) return { kind: 'message', segments }
  return { kind: 'file', name: String(data['name']), file: String(data['file']), words: String(data['words']) }
}

function withFile(type: string, { url, base64 }: { url?: string; base64?: string }): Segment | undefined {
  if (base64 !== undefined) return { type, data: { file: bytesOf(base64) } }
  return url === undefined ? undefined : { type, data: { file: url } }
}

function joinTexts(segments: Segment[]): Segment[] {
  const joined: Segment[] = []
  for (const segment of segments) {
    const last = joined.at(-1)
    if (last?.type === 'text' && segment.type === 'text')
      last.data['text'] = `${last.data['text']}${segment.data['text']}`
    else joined.push({ type: segment.type, data: { ...segment.data } })
  }
  return joined.filter(({ type, data }) => type !== 'text' || data['text'] !== '')
}

function cutLong(segments: Segment[]): Segment[][] {
  const messages: Segment[][] = [[]]
  for (const segment of segments) {
    if (segment.type === UPLOAD) {
      messages.push([segment], [])
      continue
    }
    const words = segment.type === 'text' ? String(segment.data['text']) : ''
    const [first, ...more] = words.length > TEXT_LIMIT ? splitText(words, TEXT_LIMIT).map(text) : [segment]
    messages.at(-1)!.push(first!)
    for (const piece of more) messages.push([piece])
  }
  return messages.filter((message) => message.length > 0)
}

/** What a person said, as a chain; that the bot was called is answered apart. */
export function fromSegments(segments: Segment[], selfId: string): { chain: MessageChain; isCalled: boolean } {
  const isCalled = segments.some(({ type, data }) => type === 'at' && String(data['qq']) === selfId)
  const others = segments.filter(({ type, data }) => type !== 'at' || String(data['qq']) !== selfId)
  const chain = others.map(fromSegment).filter((part) => part.type !== 'Plain' || part.text.trim() !== '')
  return { chain, isCalled }
}

function fromSegment({ type, data }: Segment): MessagePart {
  const field = (name: string) => (data[name] === undefined ? undefined : String(data[name]))
  const url = field('url') ?? (/^https?:/.test(field('file') ?? '') ? field('file') : undefined)
  const media = url === undefined ? {} : { url }
  switch (type) {
    case 'text':
      return { type: 'Plain', text: (field('text') ?? '').trim() }
    case 'image':
      return { type: 'Image', ...media }
    case 'record':
      return { type: 'Voice', ...media }
    case 'file':
      return { type: 'File', name: field('name') ?? field('file') ?? 'file', ...media }
    case 'at':
      return field('qq') === 'all'
        ? { type: 'AtAll' }
        : { type: 'At', target: field('qq') ?? '', display: field('name') }
    case 'face':
      return { type: 'Face', face_id: field('id') ?? '0' }
    case 'reply':
      return { type: 'Quote', id: field('id') ?? '0' }
    default:
      return { type: 'Plain', text: `[${type}]` }
  }
}

const ESCAPES: Record<string, string> = { '&#91;': '[', '&#93;': ']', '&#44;': ',', '&amp;': '&' }
const unescape = (words: string) => words.replace(/&#91;|&#93;|&#44;|&amp;/g, (code) => ESCAPES[code] ?? code)

/** The older spelling of the same, `[CQ:at,qq=1]` in a text. */
export function parseCq(message: string): Segment[] {
  return message.split(/(\[CQ:[^\]]*\])/).flatMap((piece): Segment[] => {
    const [, type, rest = ''] = /^\[CQ:([\w.-]+)((?:,[^\]]*)?)\]$/.exec(piece) ?? []
    if (type === undefined) return piece === '' ? [] : [text(unescape(piece))]
    const fields = rest
      .split(',')
      .filter(Boolean)
      .map((field) => {
        const at = field.indexOf('=')
        return [field.slice(0, at), unescape(field.slice(at + 1))]
      })
    return [{ type, data: Object.fromEntries(fields) as Record<string, string> }]
  })
}
