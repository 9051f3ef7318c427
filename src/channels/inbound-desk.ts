import type { Caller } from '../contracts/caller'
import type { InboundMessage, InboundReading, InboundReceipt } from '../contracts/inbound'
import type { Session } from '../contracts/session'
import type { ChannelName } from '../contracts/words'
import { notFound } from '../errors'
import type { InboundDesk, SessionAddress } from '../http/front-door'
import type { InboundStore } from '../store/inbound'
import type { InboundChannel } from './channel'

export interface InboundDeskParts {
  inbound: Pick<InboundStore, 'receive'>
  openSession(caller: Caller, address: SessionAddress): Promise<Session>
  channels: readonly InboundChannel[]
}

/** Hands in what a long-lived connection has read; platforms that call us come in by `receive`. */
export interface InboundShelf extends InboundDesk {
  accept(channel: ChannelName, botUuid: string, reading: InboundReading): Promise<InboundReceipt>
}

/** Stores what platforms hand in and answers at once; the work on it is the worker's. */
export function createInboundDesk({ inbound, openSession, channels }: InboundDeskParts): InboundShelf {
  const store = async (channel: ChannelName, botUuid: string, message: InboundMessage) => {
    const { launcherType, launcherId, timezone, language } = message
    const address = { botUuid, channel, launcherType, launcherId, timezone, language }
    const session = await openSession(platformOf(channel, botUuid), address)
    return { sessionKey: session.sessionKey, isNew: await inbound.receive(session, message) }
  }

  async function accept(
    channel: ChannelName,
    botUuid: string,
    { messages, ignored = null }: { messages: InboundMessage[]; ignored?: InboundReceipt['ignored'] },
  ): Promise<InboundReceipt> {
    const stored: Awaited<ReturnType<typeof store>>[] = []
    for (const message of messages) stored.push(await store(channel, botUuid, message))
    const duplicate = stored.length > 0 && stored.every(({ isNew }) => !isNew)
    return { received: stored.length > 0, duplicate, ignored, sessionKey: stored[0]?.sessionKey ?? null }
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
