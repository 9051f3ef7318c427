import { ProtocolError, readBodyFields } from '../wire'
import { drawPicture } from './draw-picture'
import type { PictureRequest } from './draw-picture'

const SIZE = /^(\d{2,4})x(\d{2,4})$/
const DEFAULT_SIZE = '512x512'
/** The smallest and the longest side that OpenAI's own models know lie between these. */
const SIDES = { least: 64, most: 1_792 }
const MOST_PICTURES = 10
const MOST_CHARACTERS = 32_000

/** Answers `POST /v1/images/generations` as the newer image models do: always in base64. */
export function answerImages(text: string): object {
  const pictures = readImagesRequest(text)
  const data = pictures.map((picture) => ({ b64_json: drawPicture(picture).toString('base64') }))
  const [first] = pictures
  return {
    created: Math.floor(Date.now() / 1_000),
    data,
    output_format: 'png',
    size: `${first?.width}x${first?.height}`,
    usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
  }
}

function readImagesRequest(text: string): PictureRequest[] {
  const { prompt, n, size, response_format: format } = readBodyFields(text)
  if (typeof prompt !== 'string' || prompt.trim() === '' || prompt.length > MOST_CHARACTERS) {
    throw new ProtocolError(400, `prompt must be a text of 1 to ${MOST_CHARACTERS} characters`, 'prompt')
  }
  if (format === 'url') throw new ProtocolError(400, 'The offline model answers b64_json only', 'response_format')
  const count = n ?? 1
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > MOST_PICTURES) {
    throw new ProtocolError(400, `n must be a whole number from 1 to ${MOST_PICTURES}`, 'n')
  }
  const [width, height] = readSize(size ?? 'auto')
  return [...Array(count).keys()].map((index) => ({ prompt, width, height, index }))
}

function readSize(size: unknown): [number, number] {
  const text = size === 'auto' ? DEFAULT_SIZE : size
  const [, width, height] = (typeof text === 'string' && SIZE.exec(text)) || []
  const sides = [Number(width), Number(height)] as const
  if (sides.every((side) => side >= SIDES.least && side <= SIDES.most)) return [...sides]
  throw new ProtocolError(
    400,
    `size must be auto, or sides of ${SIDES.least} to ${SIDES.most} such as 1024x1024`,
    'size',
  )
}
