import type { JsonObject } from '../../src/contracts/words'
import type { FileReference, HandlerContext } from '../../src/runs/plugins/handler-context'
import { objectsAt, textAt } from '../_service/fields'
import { openModelEndpoint } from '../_service/model-endpoint'
import type { ModelEndpoint } from '../_service/model-endpoint'
import { fault, say, shorten } from '../_service/words'
import { kindOfImage } from './kind-of-image'

interface Args {
  prompt: string
  size?: string
  n?: number
}

/** Answers in base64; the older ones answer addresses, which are read too. */
const DEFAULT_MODEL = 'gpt-image-1'

/** Draws by the images API and gives the pictures away as files. */
export async function handler({ prompt, size, n = 1 }: Args, context: HandlerContext): Promise<JsonObject> {
  const endpoint = openModelEndpoint(context)
  const model = context.settings['OPENAI_IMAGE_MODEL'] ?? DEFAULT_MODEL
  // No `response_format`: the newer models refuse it, and both forms of an answer are understood.
  const answer = await endpoint.post('images/generations', { model, prompt, n, ...(size ? { size } : {}) })
  const pictures = objectsAt(answer, 'data')
  if (pictures.length === 0) throw noPicture(context)
  const images: FileReference[] = []
  for (const [at, picture] of pictures.slice(0, n).entries()) {
    context.heartbeat({ saved: at, of: pictures.length })
    images.push(await save(await readPicture(picture, endpoint, context), at, context))
  }
  const revised = pictures.flatMap((picture) => textAt(picture, 'revised_prompt') ?? [])[0]
  return {
    summary: summarize(prompt, images, context),
    prompt,
    model,
    images,
    ...(revised && { revised_prompt: revised }),
  }
}

async function readPicture(picture: JsonObject, endpoint: ModelEndpoint, context: HandlerContext): Promise<Buffer> {
  const base64 = textAt(picture, 'b64_json')
  if (base64 !== undefined) return Buffer.from(base64.replace(/^data:[^,]*,/, ''), 'base64')
  const url = textAt(picture, 'url')
  if (url === undefined || !URL.canParse(url)) throw noPicture(context)
  // The key belongs to the endpoint: a storage elsewhere is not shown it.
  const isOwn = new URL(url).origin === new URL(endpoint.baseUrl).origin
  const response = await context.fetch(url, isOwn ? { headers: endpoint.headers } : {})
  if (response.ok) return Buffer.from(await response.arrayBuffer())
  throw fault(context, {
    zh: `图片画好了，但是取不下来（${response.status}）。`,
    en: `The picture was drawn but could not be fetched (${response.status}).`,
  })
}

async function save(bytes: Buffer, at: number, context: HandlerContext): Promise<FileReference> {
  const kind = kindOfImage(bytes)
  if (kind === undefined) throw noPicture(context)
  return context.saveFile(`image-${at + 1}.${kind.extension}`, kind.contentType, bytes)
}

function summarize(prompt: string, images: FileReference[], context: HandlerContext): string {
  const what = shorten(prompt, 60)
  const links = images.map(({ url }) => url).join(' ')
  return say(context, { zh: `“${what}”画好了：${links}`, en: `"${what}" is drawn: ${links}` })
}

const noPicture = (context: HandlerContext): Error =>
  fault(context, { zh: '模型服务的回答里没有图片。', en: 'There was no picture in the answer of the model endpoint.' })
