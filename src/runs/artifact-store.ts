import { v7 as uuidv7 } from 'uuid'
import type { PluginFile } from './plugins/contract'
import type { Database } from '../engine/database'

export interface Artifact {
  id: string
  botUuid: string
  name: string
  contentType: string
  size: number
}

export type ArtifactStore = ReturnType<typeof createArtifactStore>

/** Large results by reference. */
export function createArtifactStore({ prisma }: Database) {
  const shown = { id: true, botUuid: true, name: true, contentType: true, size: true }
  return {
    save: (owner: { botUuid: string; runId: string }, file: PluginFile): Promise<Artifact> =>
      prisma.artifact.create({
        data: {
          id: uuidv7(),
          ...owner,
          name: file.name.slice(0, 255),
          contentType: file.contentType.slice(0, 255),
          size: file.content.byteLength,
          content: Buffer.from(file.content),
        },
        select: shown,
      }),

    find: (id: string) => prisma.artifact.findUnique({ where: { id } }),
  }
}
