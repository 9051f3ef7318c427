import { createHash } from 'node:crypto'
import { createCanvas } from './canvas'
import type { Canvas, Color } from './canvas'
import { colorNamed, SUBJECTS } from './subjects'

export interface PictureWish {
  prompt: string
  width: number
  height: number
  /** Pictures of one request differ in their sky. */
  index: number
}

const SKIES: readonly Color[] = ['#bae6fd', '#fef3c7', '#e0e7ff', '#dcfce7', '#fce7f3', '#ffedd5']
const NIGHT = '#1e293b'

/** A simple picture by rules: the things the words name, in the colours they name; else a pattern of its own. */
export function drawPicture({ prompt, width, height, index }: PictureWish): Buffer {
  const canvas = createCanvas(width, height)
  const seed = createHash('sha256').update(prompt).digest()
  const isNight = /夜|晚上|月|night|moon/i.test(prompt)
  canvas.fill(isNight ? NIGHT : pick(SKIES, (seed[0] ?? 0) + index))
  if (/海|湖|河|水|鱼|魚|sea|ocean|lake|river|water|fish/i.test(prompt)) canvas.ground(68, '#38bdf8')
  else canvas.ground(80, isNight ? '#14532d' : '#86efac')
  const subjects = SUBJECTS.filter(({ words }) => words.test(prompt))
  const named = colorNamed(prompt)
  for (const { draw, color, isMain } of subjects) draw(canvas, isMain ? (named ?? color) : color)
  if (subjects.length === 0) drawPattern(canvas, seed, named)
  return canvas.toPng()
}

function drawPattern(canvas: Canvas, seed: Buffer, named: Color | undefined): void {
  const colors = ['#0f766e', '#1d4ed8', '#7c3aed', '#be185d', '#b45309', '#15803d']
  const at = (place: number) => seed[place % seed.length] ?? 0
  for (let circle = 0; circle < 7; circle += 1) {
    const radius = 6 + (at(circle * 3 + 2) % 12)
    const color = circle === 0 && named ? named : pick(colors, at(circle * 3))
    canvas.ellipse([15 + (at(circle * 3) % 70), 15 + (at(circle * 3 + 1) % 60)], radius, radius, color)
  }
}

const pick = (colors: readonly Color[], at: number): Color => colors[at % colors.length] ?? '#334155'
