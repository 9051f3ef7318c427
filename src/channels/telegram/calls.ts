import type { Api } from 'grammy'
import { InputFile } from 'grammy'
import type { MessageEntity, ReplyParameters } from 'grammy/types'
import type { ActionItem, Media, MessageChain, MessagePart } from '../../contracts/message-chain'
import type { Calls } from '../send-parts'
import { splitText } from '../split-text'

/** Telegram's limits, in UTF-16 units. */
const TEXT_LIMIT = 4_096

export type TelegramCall =
  | { kind: 'text'; text: string; entities: MessageEntity[]; buttons?: ActionItem[] }
  | { kind: 'photo' | 'voice' | 'document'; media: string | InputFile; buttons?: ActionItem[] }

interface Draft {
  text: string
  entities: MessageEntity[]
}

/** A chain as the calls that say it: text runs together, media go by themselves, in order. */
export function toCalls(chain: MessageChain): Calls<TelegramCall> & { quote: number | undefined } {
  const calls: TelegramCall[] = []
  const degraded: string[] = []
  let quote: number | undefined
  let buttons: ActionItem[] | undefined
  let draft: Draft = { text: '', entities: [] }
  const flush = () => {
    if (draft.text.trim() !== '') calls.push(...textCalls(draft))
    draft = { text: '', entities: [] }
  }
  for (const part of chain) {
    const call = mediaCall(part)
    if (call) {
      flush()
      calls.push(call)
    } else if (part.type === 'Actions') buttons = part.items
    else if (part.type === 'Quote' && /^\d+$/.test(part.id)) quote = Number(part.id)
    else degraded.push(...addWords(draft, part))
  }
  flush()
  const last = calls.at(-1)
  // Buttons belong under the whole of it.
  if (last && buttons) last.buttons = buttons
  return { calls, degraded, quote }
}

/** Entities cannot cross a cut: a message so long goes without them. */
function textCalls({ text, entities }: Draft): TelegramCall[] {
  if (text.length <= TEXT_LIMIT) return [{ kind: 'text', text, entities }]
  return splitText(text, TEXT_LIMIT).map((piece) => ({ kind: 'text', text: piece, entities: [] }))
}

/** Adds the words of a part; answers what Telegram has no way to show. */
function addWords(draft: Draft, part: MessagePart): string[] {
  if (part.type === 'Plain') draft.text += part.text
  else if (part.type === 'At') addMention(draft, part.target, part.display)
  else if (part.type === 'AtAll') return ((draft.text += '@all '), ['AtAll'])
  else if (part.type === 'Face') return ((draft.text += `[${part.name ?? `Face ${part.face_id}`}]`), ['Face'])
  else if (part.type === 'Quote') return ((draft.text += part.text ? `> ${part.text}\n` : ''), ['Quote'])
  else return ((draft.text += `[${part.type}]`), [part.type])
  return []
}

function addMention(draft: Draft, target: string, display = target): void {
  const text = `@${display}`
  const id = Number(target)
  if (Number.isSafeInteger(id) && id > 0) {
    const user = { id, is_bot: false, first_name: display }
    draft.entities.push({ type: 'text_mention', offset: draft.text.length, length: text.length, user })
  }
  draft.text += `${text} `
}

function mediaCall(part: MessagePart): TelegramCall | undefined {
  if (part.type === 'Image') return withMedia(isPhoto(part) ? 'photo' : 'document', part, part.name ?? 'image.png')
  if (part.type === 'Voice') return withMedia('voice', part, 'voice.ogg')
  if (part.type === 'File') return withMedia('document', part, part.name)
  return undefined
}

/** Larger pictures go as files. */
const PHOTO_BYTES = 10 * 1024 * 1024
const isPhoto = ({ base64 = '' }: Media) => (base64.length * 3) / 4 <= PHOTO_BYTES

function withMedia(kind: 'photo' | 'voice' | 'document', { url, base64 }: Media, name: string) {
  if (url !== undefined) return { kind, media: url }
  if (base64 === undefined) return undefined
  return { kind, media: new InputFile(Buffer.from(base64.replace(/^data:[^,]*,/, ''), 'base64'), name) }
}

/** One call; answers Telegram's id of the message. */
export async function makeCall(
  api: Api,
  call: TelegramCall,
  to: { chatId: string; reply: ReplyParameters | undefined },
  signal: AbortSignal,
): Promise<string> {
  const keyboard = call.buttons?.map(({ id, label }) => ({ text: label, callback_data: id }))
  const other = {
    ...(to.reply ? { reply_parameters: to.reply } : {}),
    ...(keyboard ? { reply_markup: { inline_keyboard: [keyboard] } } : {}),
  }
  if (call.kind === 'text') {
    const { text, entities } = call
    const marked = entities.length > 0 ? { ...other, entities } : other
    return String((await api.sendMessage(to.chatId, text, marked, signal as never)).message_id)
  }
  const send = {
    photo: () => api.sendPhoto(to.chatId, call.media, other, signal as never),
    voice: () => api.sendVoice(to.chatId, call.media, other, signal as never),
    document: () => api.sendDocument(to.chatId, call.media, other, signal as never),
  }[call.kind]
  return String((await send()).message_id)
}
