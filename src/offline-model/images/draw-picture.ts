import { createHash } from 'node:crypto'
import { createCanvas } from './canvas'
import type { Canvas, Color } from './canvas'
import {
  drawBird,
  drawCat,
  drawDog,
  drawFish,
  drawFlower,
  drawHeart,
  drawHouse,
  drawMoon,
  drawMountain,
  drawStar,
  drawSun,
  drawTree,
} from './drawings'

export interface PictureRequest {
  prompt: string
  width: number
  height: number
  /** Pictures of one request differ in their sky. */
  index: number
}

const SKIES: readonly Color[] = ['#bae6fd', '#fef3c7', '#e0e7ff', '#dcfce7', '#fce7f3', '#ffedd5']
const NIGHT = '#1e293b'

/** A simple picture by rules: the things the words name, in the colours they name; else a pattern of its own. */
export function drawPicture({ prompt, width, height, index }: PictureRequest): Buffer {
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

interface Subject {
  words: RegExp
  draw(canvas: Canvas, color: Color): void
  /** Unless a colour was named. */
  color: Color
  /** Only what is in the middle takes a colour that was named. */
  isMain: boolean
}

const subject = (words: RegExp, draw: Subject['draw'], color: Color, isMain = true): Subject => ({
  words,
  draw,
  color,
  isMain,
})

/** From the back to the front. */
const SUBJECTS: readonly Subject[] = [
  subject(/山|mountain|hill|山水/i, drawMountain, '#64748b', false),
  subject(/太阳|太陽|阳光|日出|日落|sun/i, drawSun, '#facc15', false),
  subject(/月|夜|moon|night/i, drawMoon, '#fde68a', false),
  subject(/房|屋|家|house|home|cottage/i, drawHouse, '#fde68a'),
  subject(/树|樹|森林|tree|forest/i, drawTree, '#16a34a'),
  subject(/花|flower|rose|tulip/i, drawFlower, '#ec4899'),
  subject(/星(?!期)|\bstars?\b/i, drawStar, '#facc15'),
  subject(/心|爱|愛|heart|love/i, drawHeart, '#e11d48'),
  subject(/鱼|魚|fish/i, drawFish, '#f97316'),
  subject(/鸟|鳥|bird/i, drawBird, '#0ea5e9'),
  subject(/狗|犬|dog|puppy/i, drawDog, '#b45309'),
  subject(/猫|貓|喵|\bcats?\b|kitten/i, drawCat, '#f59e0b'),
]

const COLORS: readonly [RegExp, Color][] = [
  [/红|紅|\bred\b/i, '#dc2626'],
  [/橙|橘|\borange\b/i, '#f97316'],
  [/黄|黃|金色|\byellow\b|\bgold/i, '#facc15'],
  [/绿|綠|\bgreen\b/i, '#16a34a'],
  [/蓝|藍|\bblue\b/i, '#2563eb'],
  [/紫|\bpurple\b|\bviolet\b/i, '#7c3aed'],
  [/粉|\bpink\b/i, '#f472b6'],
  [/黑|\bblack\b/i, '#111827'],
  [/白(?!天)|\bwhite\b/i, '#ffffff'],
  [/灰|\bgr[ae]y\b/i, '#6b7280'],
  [/棕|褐|\bbrown\b/i, '#92400e'],
]

const colorNamed = (text: string): Color | undefined => COLORS.find(([words]) => words.test(text))?.[1]
