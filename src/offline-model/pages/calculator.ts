import { framePage, inLanguage } from './frame'
import type { PageRequest } from './frame'

const KEYS = ['C', '(', ')', '÷', '7', '8', '9', '×', '4', '5', '6', '-', '1', '2', '3', '+', '0', '.', '⌫', '=']

export function writeCalculator(request: PageRequest): string {
  const keys = KEYS.map((key) => `<button type="button" data-key="${key}">${key}</button>`).join('\n')
  const label = inLanguage(request, '算式', 'Expression')
  return framePage({
    title: request.name,
    language: request.language,
    style: `#screen { width: 100%; box-sizing: border-box; text-align: right; font-size: 1.6rem }
#keys { display: grid; grid-template-columns: repeat(4, 1fr); gap: .5rem; margin-top: .5rem }`,
    body: `<input id="screen" inputmode="none" autocomplete="off" aria-label="${label}">
<div id="keys">
${keys}
</div>`,
    script: SCRIPT.replace('WRONG', JSON.stringify(inLanguage(request, '算式不对', 'Not a sum'))),
  })
}

/** Sums and products of numbers and brackets, read by hand: no `eval`. */
const SCRIPT = `const screen = document.getElementById('screen')
let fresh = false

function compute(text) {
  const tokens = text.replace(/×/g, '*').replace(/÷/g, '/').match(/\\d+\\.?\\d*|\\.\\d+|[-+*/()]/g) || []
  let at = 0
  function atom() {
    const token = tokens[at++]
    if (token === '-') return -atom()
    if (token === '+') return atom()
    if (token !== '(') return /^[\\d.]+$/.test(token || '') ? Number(token) : NaN
    const value = sum()
    return tokens[at++] === ')' ? value : NaN
  }
  function product() {
    let value = atom()
    while (tokens[at] === '*' || tokens[at] === '/') value = tokens[at++] === '*' ? value * atom() : value / atom()
    return value
  }
  function sum() {
    let value = product()
    while (tokens[at] === '+' || tokens[at] === '-') value = tokens[at++] === '+' ? value + product() : value - product()
    return value
  }
  const value = sum()
  return at === tokens.length ? value : NaN
}

function press(key) {
  if (key === 'C') screen.value = ''
  else if (key === '⌫') screen.value = fresh ? '' : screen.value.slice(0, -1)
  else if (key === '=') {
    const value = compute(screen.value)
    screen.value = Number.isFinite(value) ? String(Number(value.toPrecision(12))) : WRONG
    fresh = true
    return
  } else screen.value = (fresh && !/[-+×÷]/.test(key) ? '' : screen.value) + key
  fresh = false
}

document.getElementById('keys').addEventListener('click', (event) => {
  if (event.target.dataset.key) press(event.target.dataset.key)
})
screen.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') press('=')
  if (event.key === 'Escape') press('C')
})
screen.focus()`
