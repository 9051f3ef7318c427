import type { Media, MessageChain, MessagePart } from '../contracts/message-chain'

/** Files that runs have made, for channels that bring them to people. */
export interface FileSource {
  find(id: string): Promise<{ botUuid: string; name: string; content: Uint8Array } | null>
  /** An address that opens the file for a while, without a key. */
  linkTo(id: string): string
}

/** How a platform takes files: as bytes up to a size, by a link, or both. */
export interface FileWays {
  maxBytes: number
  /** Adds the link also where the bytes go. */
  alwaysLink?: boolean
}

type MediaPart = Extract<MessagePart, Media>

/** The chain with every file of a run as bytes or as a link. One that is gone, or another bot's, is only named. */
export async function withFiles(
  chain: MessageChain,
  botUuid: string,
  files: FileSource,
  ways: FileWays,
): Promise<MessageChain> {
  const bring = async (part: MessagePart): Promise<MessagePart> => {
    if (!isMedia(part) || part.artifact_id === undefined) return part
    const { artifact_id: id, ...rest } = part
    const found = await files.find(id)
    if (found?.botUuid !== botUuid) return { type: 'Plain', text: `[${part.type}]` }
    const isSmall = found.content.byteLength <= ways.maxBytes
    const base64 = isSmall ? Buffer.from(found.content).toString('base64') : undefined
    const url = !isSmall || ways.alwaysLink ? files.linkTo(id) : undefined
    const name = 'name' in rest && rest.name !== undefined ? rest.name : found.name
    return { ...rest, name, ...(base64 !== undefined && { base64 }), ...(url !== undefined && { url }) } as MessagePart
  }
  return Promise.all(chain.map(bring))
}

const isMedia = (part: MessagePart): part is MediaPart => ['Image', 'Voice', 'File'].includes(part.type)
