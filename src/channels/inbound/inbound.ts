import type { Caller } from '../../contracts/caller'
import type { InboundMessage, InboundReading, InboundReceipt } from './contract'
import type { Session, SessionAddress } from '../../conversation/session'
import type { ChannelName } from '../../contracts/words'
import { notFound } from '../../errors'
import type { InboundStore } from '.'
import type { MovedChatStore } from '../moved-chat-store'
import type { InboundChannel } from '../channel'

export interface InboundParts {
  inbound: Pick<InboundStore, 'receive'>
  openSession(caller: Caller, address: SessionAddress): Promise<Session>
  channels: readonly InboundChannel[]
  movedChats: Pick<MovedChatStore, 'save'>
}

/** Where platforms hand in what people say to a bot. */
export interface Inbound {
  /** Stores it and answers at once. Throws `unauthorized` unless the request is signed as the bot's settings say. */
  receive(
    channel: ChannelName,
    botUuid: string,
    request: { headers: Record<string, string | undefined>; body: string },
  ): Promise<InboundReceipt>
  /** Hands in what a long-lived connection has read. */
  accept(channel: ChannelName, botUuid: string, reading: InboundReading): Promise<InboundReceipt>
}

/** Stores what platforms hand in and answers at once; the work on it is the worker's. */
export function createInbound({ inbound, openSession, channels, movedChats }: InboundParts): Inbound {
  const store = async (channel: ChannelName, botUuid: string, message: InboundMessage) => {
    const { launcherType, launcherId, timezone, language } = message
    const zoneSource = 'channel' as const
    const address = { botUuid, channel, launcherType, launcherId, timezone, zoneSource, language }
    const session = await openSession(platformOf(channel, botUuid), address)
    return { sessionKey: session.sessionKey, isNew: await inbound.receive(session, message) }
  }

  async function accept(
    channel: ChannelName,
    botUuid: string,
    { messages, ignored, moved }: InboundReading,
  ): Promise<InboundReceipt> {
    if (moved) await movedChats.save(botUuid, channel, moved)
    const stored: Awaited<ReturnType<typeof store>>[] = []
    for (const message of messages) stored.push(await store(channel, botUuid, message))
    const duplicate = stored.length > 0 && stored.every(({ isNew }) => !isNew)
    return {
      received: stored.length > 0,
      duplicate,
      ignored: ignored ?? null,
      sessionKey: stored[0]?.sessionKey ?? null,
    }
  }

  return {
    accept,
    async receive(name, botUuid, request) {
      const channel = channels.find((known) => known.name === name)
      if (!channel) throw notFound(`a door for ${name}`)
      return accept(name, botUuid, await channel.read(botUuid, request))
    },
  }
}

/** A platform that proved itself speaks for its one bot and for no other. */
const platformOf = (channel: ChannelName, botUuid: string): Caller => ({
  kind: 'api_key',
  id: channel,
  name: channel,
  scopes: ['send'],
  bots: [botUuid],
})
