import { crc32, deflateSync } from 'node:zlib'

/** `#rrggbb`. */
export type Color = string
export type Point = readonly [x: number, y: number]

/** A picture of 100 by 100 in its middle, whatever its real size; what lies beyond is there too, on the longer side. */
export interface Canvas {
  fill(color: Color): void
  /** From a height downwards, over the whole width. */
  ground(top: number, color: Color): void
  ellipse(center: Point, radiusX: number, radiusY: number, color: Color): void
  polygon(points: readonly Point[], color: Color): void
  toPng(): Buffer
}

export function createCanvas(width: number, height: number): Canvas {
  const pixels = Buffer.alloc(width * height * 3)
  const scale = Math.min(width, height) / 100
  const left = (width - 100 * scale) / 2
  const top = (height - 100 * scale) / 2
  const clamp = (value: number, most: number) => Math.min(Math.max(Math.floor(value), 0), most)

  /** Colours what lies inside, looking only at the box around it. */
  function paint([x1, y1, x2, y2]: Box, color: Color, isInside: (x: number, y: number) => boolean): void {
    const paint = Buffer.from(color.slice(1), 'hex')
    const [fromX, toX] = [clamp(left + x1 * scale, width), clamp(left + x2 * scale + 1, width)]
    const [fromY, toY] = [clamp(top + y1 * scale, height), clamp(top + y2 * scale + 1, height)]
    for (let y = fromY; y < toY; y += 1) {
      for (let x = fromX; x < toX; x += 1) {
        if (isInside((x + 0.5 - left) / scale, (y + 0.5 - top) / scale)) paint.copy(pixels, (y * width + x) * 3)
      }
    }
  }

  return {
    fill: (color) => void pixels.fill(Buffer.from(color.slice(1), 'hex')),
    ground: (from, color) => paint([-1e4, from, 1e4, 1e4], color, () => true),
    ellipse([x, y], radiusX, radiusY, color) {
      const box: Box = [x - radiusX, y - radiusY, x + radiusX, y + radiusY]
      paint(box, color, (px, py) => ((px - x) / radiusX) ** 2 + ((py - y) / radiusY) ** 2 <= 1)
    },
    polygon: (points, color) => paint(boxOf(points), color, (x, y) => isInPolygon(points, x, y)),
    toPng: () => encodePng(width, height, pixels),
  }
}

type Box = readonly [x1: number, y1: number, x2: number, y2: number]

function boxOf(points: readonly Point[]): Box {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/** A line to the right crosses the edge an odd number of times. */
function isInPolygon(points: readonly Point[], x: number, y: number): boolean {
  return points.reduce((inside, [x1, y1], at) => {
    const [x2, y2] = points[(at + 1) % points.length] ?? [x1, y1]
    const crosses = y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1
    return crosses ? !inside : inside
  }, false)
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const NOTHING = Buffer.alloc(0)

/** A PNG of eight bits of red, green and blue a pixel. */
export function encodePng(width: number, height: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y += 1) {
    // The first byte of a row says that it is not filtered.
    pixels.copy(rows, y * (1 + width * 3) + 1, y * width * 3, (y + 1) * width * 3)
  }
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', NOTHING)])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
