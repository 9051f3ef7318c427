import type { Canvas, Color, Point } from './canvas'

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
  canvas.polygon(
    [
      [24, 47],
      [76, 47],
      [50, 82],
    ],
    color,
  )
}

export function drawFlower(canvas: Canvas, color: Color): void {
  canvas.polygon(
    [
      [49, 55],
      [51, 55],
      [52, 95],
      [48, 95],
    ],
    '#15803d',
  )
  for (let petal = 0; petal < 6; petal += 1) canvas.ellipse(around([50, 45], petal / 6, 14), 9, 9, color)
  canvas.ellipse([50, 45], 8, 8, '#facc15')
}

export function drawTree(canvas: Canvas, color: Color): void {
  canvas.polygon(
    [
      [46, 60],
      [54, 60],
      [56, 95],
      [44, 95],
    ],
    '#78350f',
  )
  for (const [x, y] of [
    [36, 48],
    [64, 48],
    [50, 34],
    [50, 52],
  ] as const)
    canvas.ellipse([x, y], 18, 16, color)
}

export function drawHouse(canvas: Canvas, color: Color): void {
  const box = (x: number, y: number, width: number, height: number): Point[] => [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ]
  canvas.polygon(box(28, 52, 44, 38), color)
  canvas.polygon(
    [
      [22, 54],
      [50, 28],
      [78, 54],
    ],
    '#b91c1c',
  )
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
    canvas.polygon(
      [
        [x - 34, 80],
        [x, top],
        [x + 34, 80],
      ],
      color,
    )
    canvas.polygon(
      [
        [x - 6, top + 10],
        [x, top],
        [x + 6, top + 10],
      ],
      '#ffffff',
    )
  }
}

/** A point at a part of a whole turn. */
export function around([x, y]: Point, turn: number, radius: number): Point {
  return [x + Math.cos(turn * 2 * Math.PI) * radius, y + Math.sin(turn * 2 * Math.PI) * radius]
}
