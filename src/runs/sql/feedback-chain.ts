import { artifactPath } from '../plugins/contract'
import type { MessageChain, MessagePart } from '../../contracts/message-chain'
import type { JsonValue } from '../../contracts/words'
import type { Queryable } from '../../engine/database'

interface File {
  id: string
  name: string
  contentType: string
}

const MAX_FILES = 10
const MAX_DEPTH = 6

/** The words of a result with its pictures and files as parts: where the text names one, else at its end. */
export async function chainOf(db: Queryable, runId: string, text: string, data: JsonValue): Promise<MessageChain> {
  const files = await findFiles(db, runId, data)
  const beside = files.filter(({ id }) => !text.includes(artifactPath(id)))
  const plain = beside.length > 0 && text !== '' ? `${text}\n` : text
  return [...splitAtFiles(plain, files), ...beside.map(toPart)]
}

/** Only what this run made, pictures first: a result may hold ids of anything. */
export async function findFiles(db: Queryable, runId: string, data: JsonValue): Promise<File[]> {
  const ids = idsIn(data).slice(0, MAX_FILES)
  if (ids.length === 0) return []
  const { rows } = await db.query<File>(
    'SELECT id, name, content_type FROM artifacts WHERE run_id = $1 AND id::text = ANY ($2::text[])',
    [runId, ids],
  )
  const named = ids.flatMap((id) => rows.filter((row) => row.id === id))
  return [...named.filter(isImage), ...named.filter((file) => !isImage(file))]
}

function idsIn(data: JsonValue, depth = 0): string[] {
  if (typeof data !== 'object' || data === null || depth > MAX_DEPTH) return []
  if (Array.isArray(data)) return unique(data.flatMap((item) => idsIn(item, depth + 1)))
  const { artifact_id: id } = data
  return typeof id === 'string' ? [id] : unique(Object.values(data).flatMap((item) => idsIn(item, depth + 1)))
}

const unique = (ids: string[]) => [...new Set(ids)]

function splitAtFiles(text: string, files: File[]): MessageChain {
  const parts: MessageChain = []
  let rest = text
  for (;;) {
    const [next] = files
      .map((file) => ({ file, at: rest.indexOf(artifactPath(file.id)) }))
      .filter(({ at }) => at >= 0)
      .sort((one, other) => one.at - other.at)
    if (next === undefined) break
    if (next.at > 0) parts.push({ type: 'Plain', text: rest.slice(0, next.at) })
    parts.push(toPart(next.file))
    rest = rest.slice(next.at + artifactPath(next.file.id).length)
  }
  return rest === '' ? parts : [...parts, { type: 'Plain', text: rest }]
}

const isImage = ({ contentType }: File) => contentType.startsWith('image/')

const toPart = (file: File): MessagePart => ({
  type: isImage(file) ? 'Image' : 'File',
  artifact_id: file.id,
  name: file.name,
})
