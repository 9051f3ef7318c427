import type { Session } from '../conversation/session'
import type { PipelineDirectory } from './pipeline-directory'
import { isWithin } from './pipelines'

const DEFAULT_PIPELINE = 'assistant'

export type PipelineChoice = ReturnType<typeof createPipelineChoice>

/** Which pipeline answers in a session: its own, else that of its bot, else the default. */
export function createPipelineChoice({
  bots,
  pipelines,
}: {
  bots: { findKnown(uuid: string): Promise<{ pipelineUuid: string | null } | null> }
  pipelines: Pick<PipelineDirectory, 'get'>
}) {
  const ofBot = async (botUuid: string) => (await bots.findKnown(botUuid))?.pipelineUuid ?? DEFAULT_PIPELINE
  const of = async ({ pipelineUuid, botUuid }: Session) => pipelineUuid ?? (await ofBot(botUuid))
  return {
    of,
    /** The voice of the session's pipeline. */
    overlaysOf: async (session: Session): Promise<Record<string, string>> => ({
      ...(await pipelines.get(await of(session))).overlays,
    }),
    /** Whether a pipeline offers nothing that the bot's own does not. */
    async isWithinBots(pipelineUuid: string, botUuid: string): Promise<boolean> {
      const own = await ofBot(botUuid)
      return own === pipelineUuid || isWithin(await pipelines.get(pipelineUuid), await pipelines.get(own))
    },
  }
}
