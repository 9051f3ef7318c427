import type { Canvas, Color, Point } from './canvas'

const DARK = '#1f2937'
const WHITE = '#ffffff'
const PINK = '#f9a8d4'

export function drawCat(canvas: Canvas, color: Color): void {
  drawBody(canvas, color)
  canvas.polygon(
    [
      [27, 20],
      [32, 46],
      [50, 34],
    ],
    color,
  )
  canvas.polygon(
    [
      [73, 20],
      [68, 46],
      [50, 34],
    ],
    color,
  )
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
  canvas.polygon(
    [
      [66, 55],
      [88, 40],
      [88, 70],
    ],
    color,
  )
  canvas.ellipse([46, 55], 26, 16, color)
  drawEye(canvas, [32, 51])
}

export function drawBird(canvas: Canvas, color: Color): void {
  canvas.ellipse([50, 55], 20, 14, color)
  canvas.ellipse([66, 42], 9, 9, color)
  canvas.polygon(
    [
      [74, 40],
      [84, 44],
      [74, 46],
    ],
    '#f59e0b',
  )
  canvas.polygon(
    [
      [42, 52],
      [26, 34],
      [58, 50],
    ],
    DARK,
  )
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
  canvas.polygon(
    [
      [from, at],
      [to, at + tilt],
      [to, at + tilt + 0.8],
      [from, at + 0.8],
    ],
    DARK,
  )
}
