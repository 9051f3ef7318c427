import type { Canvas, Color, Point } from './canvas'

const DARK = '#1f2937'
const WHITE = '#ffffff'
const PINK = '#f9a8d4'

export function drawCat(canvas: Canvas, color: Color): void {
  drawBody(canvas, color)
  canvas.polygon(points(27, 20, 32, 46, 50, 34), color)
  canvas.polygon(points(73, 20, 68, 46, 50, 34), color)
  drawFace(canvas, color)
  for (const side of [-1, 1]) for (const tilt of [-3, 0, 3]) drawWhisker(canvas, side, tilt)
}

export function drawDog(canvas: Canvas, color: Color): void {
  drawBody(canvas, color)
  drawFace(canvas, color)
  canvas.ellipse([28, 48], 7, 16, DARK)
  canvas.ellipse([72, 48], 7, 16, DARK)
  canvas.ellipse([50, 62], 4, 6, '#ef4444')
}

export function drawFish(canvas: Canvas, color: Color): void {
  canvas.polygon(points(66, 55, 88, 40, 88, 70), color)
  canvas.ellipse([46, 55], 26, 16, color)
  drawEye(canvas, [32, 51])
}

export function drawBird(canvas: Canvas, color: Color): void {
  canvas.ellipse([50, 55], 20, 14, color)
  canvas.ellipse([66, 42], 9, 9, color)
  canvas.polygon(points(74, 40, 84, 44, 74, 46), '#f59e0b')
  canvas.polygon(points(42, 52, 26, 34, 58, 50), DARK)
  drawEye(canvas, [68, 41])
}

function drawBody(canvas: Canvas, color: Color): void {
  canvas.ellipse([50, 84], 24, 20, color)
  canvas.ellipse([50, 50], 24, 21, color)
}

function drawFace(canvas: Canvas, color: Color): void {
  canvas.ellipse([50, 58], 9, 6, color === WHITE ? '#e5e7eb' : WHITE)
  drawEye(canvas, [41, 47])
  drawEye(canvas, [59, 47])
  canvas.ellipse([50, 55], 3, 2, PINK)
}

function drawEye(canvas: Canvas, [x, y]: Point): void {
  canvas.ellipse([x, y], 4, 4, WHITE)
  canvas.ellipse([x, y], 2, 3, DARK)
}

function drawWhisker(canvas: Canvas, side: number, tilt: number): void {
  const [from, to] = [50 + side * 9, 50 + side * 32]
  const at = 58 + tilt
  canvas.polygon(points(from, at, to, at + tilt, to, at + tilt + 0.8, from, at + 0.8), DARK)
}

export function drawSun(canvas: Canvas, color: Color): void {
  const center: Point = [78, 20]
  for (let ray = 0; ray < 12; ray += 1) {
    const at = (turn: number, radius: number): Point => around(center, ray / 12 + turn, radius)
    canvas.polygon([at(-0.02, 13), at(0, 19), at(0.02, 13)], color)
  }
  canvas.ellipse(center, 11, 11, color)
}

export function drawMoon(canvas: Canvas, color: Color): void {
  canvas.ellipse([78, 20], 11, 11, color)
  canvas.ellipse([83, 17], 9, 9, '#1e293b')
}

export function drawStar(canvas: Canvas, color: Color): void {
  const corners = [...Array(10).keys()].map((at) => around([50, 50], at / 10 - 0.25, at % 2 === 0 ? 32 : 13))
  canvas.polygon(corners, color)
}

export function drawHeart(canvas: Canvas, color: Color): void {
  canvas.ellipse([38, 42], 15, 14, color)
  canvas.ellipse([62, 42], 15, 14, color)
  canvas.polygon(points(24, 47, 76, 47, 50, 82), color)
}

export function drawFlower(canvas: Canvas, color: Color): void {
  canvas.polygon(points(49, 55, 51, 55, 52, 95, 48, 95), '#15803d')
  for (let petal = 0; petal < 6; petal += 1) canvas.ellipse(around([50, 45], petal / 6, 14), 9, 9, color)
  canvas.ellipse([50, 45], 8, 8, '#facc15')
}

export function drawTree(canvas: Canvas, color: Color): void {
  canvas.polygon(points(46, 60, 54, 60, 56, 95, 44, 95), '#78350f')
  for (const [x, y] of [
    [36, 48],
    [64, 48],
    [50, 34],
    [50, 52],
  ] as const)
    canvas.ellipse([x, y], 18, 16, color)
}

export function drawHouse(canvas: Canvas, color: Color): void {
  const box = (x: number, y: number, width: number, height: number): Point[] =>
    points(x, y, x + width, y, x + width, y + height, x, y + height)
  canvas.polygon(box(28, 52, 44, 38), color)
  canvas.polygon(points(22, 54, 50, 28, 78, 54), '#b91c1c')
  canvas.polygon(box(45, 68, 12, 22), '#78350f')
  canvas.polygon(box(33, 60, 9, 9), '#bae6fd')
  canvas.polygon(box(60, 60, 9, 9), '#bae6fd')
}

export function drawMountain(canvas: Canvas, color: Color): void {
  for (const [x, top] of [
    [25, 40],
    [75, 46],
    [50, 26],
  ] as const) {
    canvas.polygon(points(x - 34, 80, x, top, x + 34, 80), color)
    canvas.polygon(points(x - 6, top + 10, x, top, x + 6, top + 10), '#ffffff')
  }
}

/** A point at a part of a whole turn. */
function around([x, y]: Point, turn: number, radius: number): Point {
  return [x + Math.cos(turn * 2 * Math.PI) * radius, y + Math.sin(turn * 2 * Math.PI) * radius]
}

/** Pairs of x and y, one after the other. */
function points(...numbers: number[]): Point[] {
  return numbers.flatMap((x, at) => (at % 2 === 0 ? [[x, numbers[at + 1] ?? 0] as const] : []))
}
