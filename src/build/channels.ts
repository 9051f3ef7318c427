import type { Logger } from 'pino'
import type { Channel } from '../channels/channel'
import { createInbound, startPlatformConnections } from '../channels'
import type { ChannelName } from '../contracts/words'
import type { SessionDirectory } from '../conversation/session-directory'
import type { Administration } from './administration'
import type { Stores } from './storage'

/** How messages leave for platforms and come in from them. */
export function createChannels({
  stores,
  administration,
  sessions,
  logger,
}: {
  stores: Stores
  administration: Administration
  sessions: SessionDirectory
  logger: Logger
}) {
  const { platforms, box } = administration
  const inbound = createInbound({
    inbound: stores.inbound,
    movedChats: stores.movedChats,
    openSession: sessions.resolve,
    channels: platforms.map((platform) => platform.inbound),
  })
  return {
    channels: new Map<ChannelName, Channel>(platforms.map(({ name, channel }) => [name, channel])),
    inbound,
    /** Only workers hold connections. */
    startConnections: () => startPlatformConnections({ leases: stores.channelLeases, platforms, inbound, box, logger }),
  }
}
