import type { Logger } from 'pino'
import { createAccess, createSecretBox, createSignedLinks, sealingSecrets } from '../access'
import { createBotPlatforms, createPlatformAccounts, createPlatforms } from '../channels'
import { createPipelineDirectory } from '../planner'
import type { Config } from '../config'
import { createEgress } from '../egress/egress'
import type { Stores } from './storage'

export type Administration = Awaited<ReturnType<typeof createAdministration>>

/** Who may come in, which bots there are, and how each is reached: what the command line manages too. */
export async function createAdministration(config: Config, stores: Stores, logger?: Logger) {
  const egress = createEgress({ trustedHosts: config.trustedEgressHosts })
  const [secretKey, ...olderKeys] = await sealingSecrets(config)
  const box = createSecretBox(secretKey, ...olderKeys)
  const signedLinks = createSignedLinks({ secretKey, publicUrl: config.publicUrl })
  const accounts = createPlatformAccounts({ store: stores.botChannels, box })
  const platforms = createPlatforms({
    accounts,
    egress,
    files: { find: stores.artifacts.find, linkTo: signedLinks.linkTo },
    movedChats: stores.movedChats,
    clock: stores.clock,
  })
  const botPlatforms = createBotPlatforms({
    bots: stores.bots,
    accounts,
    platforms,
    leases: stores.channelLeases,
    movedChats: stores.movedChats,
    logger,
  })
  const pipelines = createPipelineDirectory(stores.pipelines)
  const access = createAccess(
    { users: stores.users, keys: stores.apiKeys, bots: stores.bots },
    {
      knowsPipeline: pipelines.knows,
      hasPromises: async (uuid) =>
        (await stores.promises.list({ bots: [uuid], state: 'pending', limit: 1 })).length > 0,
      leavePlatforms: botPlatforms.removeAll,
      forget: stores.sessions.forgetBot,
    },
  )
  return { access, pipelines, botPlatforms, platforms, accounts, box, signedLinks, egress }
}
