import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/** A mark of its own for every name: five by five cells, left and right alike, on a coloured ground. */
export interface Icon {
  color: string
  toSvg(): string
  toPng(size: number): Buffer
}

const COLORS = ['#0f766e', '#1d4ed8', '#7c3aed', '#be185d', '#b45309', '#15803d', '#b91c1c', '#334155']
const CELLS = 5
/** The mark keeps to the middle: systems cut the edges of an icon into their own shape. */
const MARGIN = 0.2

export function createIcon(name: string): Icon {
  const hash = createHash('sha256').update(name).digest()
  const color = COLORS[(hash[0] ?? 0) % COLORS.length] ?? '#334155'
  const isSet = (column: number, row: number) => {
    const mirrored = Math.min(column, CELLS - 1 - column)
    // The middle is always set, so that no mark is empty.
    return (mirrored === 2 && row === 2) || (hash[1 + row * 3 + mirrored] ?? 0) % 2 === 1
  }
  return { color, toSvg: () => drawSvg(color, isSet), toPng: (size) => drawPng(size, color, isSet) }
}

type IsSet = (column: number, row: number) => boolean

function drawSvg(color: string, isSet: IsSet): string {
  const places = [...Array(CELLS * CELLS).keys()].map((at) => [at % CELLS, Math.floor(at / CELLS)] as const)
  const cells = places
    .filter(([column, row]) => isSet(column, row))
    .map(([column, row]) => `<rect x="${20 + column * 12}" y="${20 + row * 12}" width="12" height="12"/>`)
  const ground = `<rect width="100" height="100" fill="${color}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${ground}<g fill="#fff">${cells.join('')}</g></svg>\n`
}

function drawPng(size: number, color: string, isSet: IsSet): Buffer {
  const ground = Buffer.from(color.slice(1), 'hex')
  const white = Buffer.alloc(3, 255)
  const cellOf = (pixel: number) => Math.floor(((pixel + 0.5) / size - MARGIN) / ((1 - 2 * MARGIN) / CELLS))
  const isInside = (cell: number) => cell >= 0 && cell < CELLS
  const rows = [...Array(size).keys()].map((y) => {
    const row = Buffer.alloc(1 + size * 3)
    for (let x = 0; x < size; x += 1) {
      const [column, line] = [cellOf(x), cellOf(y)]
      const pixel = isInside(column) && isInside(line) && isSet(column, line) ? white : ground
      pixel.copy(row, 1 + x * 3)
    }
    return row
  })
  return encodePng(size, Buffer.concat(rows))
}

/** Eight bits of red, green and blue a pixel; each row begins with the byte that says it is unfiltered. */
function encodePng(size: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
