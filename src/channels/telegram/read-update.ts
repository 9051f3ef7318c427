import type { CallbackQuery, Message, MessageEntity, Update } from 'grammy/types'
import type { ChatMove, InboundReading } from '../inbound/contract'
import type { MessageChain } from '../../contracts/message-chain'

/** Who the bot is on Telegram. */
export interface Self {
  id: number
  username: string | undefined
}

/** One update in our form. Edits, posts of channels and what other bots say are none of ours. */
export function readUpdate(update: Update, self: Self): InboundReading {
  if (update.callback_query) return readPressed(update.callback_query, self)
  const { message } = update
  const moved = message && moveOf(message)
  if (moved) return { messages: [], ignored: 'no_content', moved }
  if (!message?.from) return { messages: [], ignored: 'no_content' }
  if (message.from.is_bot || message.from.id === self.id) return { messages: [], ignored: 'own_message' }
  const isGroup = message.chat.type !== 'private'
  if (isGroup && !isAddressed(message, self)) return { messages: [], ignored: 'not_addressed' }
  const chain = readChain(message, self)
  if (chain.length === 0) return { messages: [], ignored: 'no_content' }
  const name = [message.from.first_name, message.from.last_name].filter(Boolean).join(' ')
  return {
    messages: [
      {
        // Not the update's number: the same message may come by polling and by webhook. Each bot of Telegram counts anew.
        externalId: `${self.id}:${message.chat.id}:${message.message_id}`,
        launcherType: isGroup ? 'group' : 'person',
        launcherId: String(message.chat.id),
        senderId: String(message.from.id),
        senderName: name.slice(0, 255),
        chain,
        replyTo: String(message.message_id),
      },
    ],
  }
}

/** A button under a message of ours. Its label is what the person says by it. */
function readPressed(pressed: CallbackQuery, self: Self): InboundReading {
  const { message, from, data } = pressed
  if (!message || data === undefined || from.is_bot) return { messages: [], ignored: 'no_content' }
  const rows = 'reply_markup' in message ? (message.reply_markup?.inline_keyboard ?? []) : []
  const label = rows.flat().find((button) => 'callback_data' in button && button.callback_data === data)?.text ?? data
  return {
    messages: [
      {
        externalId: `${self.id}:pressed:${pressed.id}`,
        launcherType: message.chat.type === 'private' ? 'person' : 'group',
        launcherId: String(message.chat.id),
        senderId: String(from.id),
        senderName: [from.first_name, from.last_name].filter(Boolean).join(' ').slice(0, 255),
        chain: [{ type: 'Plain', text: label }],
        action: data,
      },
    ],
  }
}

/** A group that becomes a supergroup says so on both sides, under its old id and under its new one. */
function moveOf({ chat, migrate_to_chat_id: to, migrate_from_chat_id: from }: Message): ChatMove | undefined {
  if (to !== undefined) return { from: String(chat.id), to: String(to) }
  return from === undefined ? undefined : { from: String(from), to: String(chat.id) }
}

/** Named, answered, or given a command. */
function isAddressed(message: Message, self: Self): boolean {
  if (message.reply_to_message?.from?.id === self.id) return true
  return (
    mentionsOf(message, self).length > 0 || entitiesOf(message).some(({ type, offset }) => isOurCommand(type, offset))
  )
  function isOurCommand(type: MessageEntity['type'], offset: number): boolean {
    if (type !== 'bot_command' || offset !== 0) return false
    const [, to] = /^\/\w+(?:@(\w+))?/.exec(textOf(message)) ?? []
    return to === undefined || to.toLowerCase() === self.username?.toLowerCase()
  }
}

function mentionsOf(message: Message, self: Self): MessageEntity[] {
  const text = textOf(message)
  return entitiesOf(message).filter((entity) => {
    if (entity.type === 'text_mention') return entity.user.id === self.id
    if (entity.type !== 'mention') return false
    const named = text.slice(entity.offset + 1, entity.offset + entity.length)
    return named.toLowerCase() === self.username?.toLowerCase()
  })
}

const textOf = (message: Message) => message.text ?? message.caption ?? ''
const entitiesOf = (message: Message) => message.entities ?? message.caption_entities ?? []

function readChain(message: Message, self: Self): MessageChain {
  const chain: MessageChain = []
  const quoted = message.reply_to_message
  if (quoted)
    chain.push({ type: 'Quote', id: String(quoted.message_id), text: textOf(quoted).slice(0, 200) || undefined })
  if (message.photo) chain.push({ type: 'Image' })
  if (message.voice) chain.push({ type: 'Voice', length: message.voice.duration })
  const { document, sticker } = message
  if (document) chain.push({ type: 'File', name: document.file_name ?? 'file', size: document.file_size })
  if (sticker) chain.push({ type: 'Face', face_id: sticker.file_unique_id, name: sticker.emoji })
  const text = withoutMentions(textOf(message), mentionsOf(message, self))
  if (text !== '') chain.push({ type: 'Plain', text })
  return chain.some(({ type }) => type !== 'Quote') ? chain : []
}

/** That the bot was called is known; what was asked is left. */
function withoutMentions(text: string, mentions: MessageEntity[]): string {
  let rest = text
  for (const { offset, length } of mentions.toReversed()) rest = rest.slice(0, offset) + rest.slice(offset + length)
  return rest.trim()
}
