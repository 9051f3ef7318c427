import { drawBird, drawCat, drawDog, drawFish } from './animals'
import type { Canvas, Color } from './canvas'
import { drawFlower, drawHeart, drawHouse, drawMoon, drawMountain, drawStar, drawSun, drawTree } from './things'

export interface Subject {
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
export const SUBJECTS: readonly Subject[] = [
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

export const colorNamed = (text: string): Color | undefined => COLORS.find(([words]) => words.test(text))?.[1]
