import { framePage, inLanguage } from './frame'
import type { PageRequest } from './frame'

export function writeTimer(request: PageRequest): string {
  const say = (zh: string, en: string) => inLanguage(request, zh, en)
  return framePage({
    title: request.name,
    language: request.language,
    style: `#left { font-size: 4rem; text-align: center; font-variant-numeric: tabular-nums }
form, p { display: flex; gap: .5rem; justify-content: center; align-items: center }
input { width: 4rem }
.over { color: #dc2626 }`,
    body: `<div id="left" role="timer" aria-live="off">00:00</div>
<form id="length">
<label>${say('分', 'Minutes')} <input id="minutes" type="number" min="0" max="999" value="5"></label>
<label>${say('秒', 'Seconds')} <input id="seconds" type="number" min="0" max="59" value="0"></label>
</form>
<p>
<button type="button" id="start">${say('开始', 'Start')}</button>
<button type="button" id="pause">${say('暂停', 'Pause')}</button>
<button type="button" id="reset">${say('重置', 'Reset')}</button>
</p>
<p id="said" role="status"></p>`,
    script: SCRIPT.replace('OVER', JSON.stringify(say('时间到！', 'Time is up!'))),
  })
}

/** The end is an instant, so that a tab that slept shows the right time when it wakes. */
const SCRIPT = `const $ = (id) => document.getElementById(id)
let endsAt = 0
let leftMs = 0
let ticking = 0

const wanted = () => (Number($('minutes').value) * 60 + Number($('seconds').value)) * 1000

function show(ms) {
  const seconds = Math.ceil(ms / 1000)
  $('left').textContent = String(Math.floor(seconds / 60)).padStart(2, '0') + ':' + String(seconds % 60).padStart(2, '0')
}

function stop() {
  clearInterval(ticking)
  ticking = 0
}

function beep() {
  const audio = new AudioContext()
  const tone = audio.createOscillator()
  tone.connect(audio.destination)
  tone.start()
  tone.stop(audio.currentTime + 0.6)
}

function tick() {
  leftMs = Math.max(0, endsAt - Date.now())
  show(leftMs)
  if (leftMs > 0) return
  stop()
  $('left').classList.add('over')
  $('said').textContent = OVER
  beep()
}

$('start').onclick = () => {
  if (ticking) return
  if (leftMs === 0) leftMs = wanted()
  if (leftMs === 0) return
  localStorage.setItem('length', JSON.stringify([$('minutes').value, $('seconds').value]))
  $('left').classList.remove('over')
  $('said').textContent = ''
  endsAt = Date.now() + leftMs
  ticking = setInterval(tick, 200)
}
$('pause').onclick = stop
$('reset').onclick = () => {
  stop()
  leftMs = 0
  $('left').classList.remove('over')
  $('said').textContent = ''
  show(wanted())
}
$('length').oninput = () => ticking || (leftMs = 0, show(wanted()))
$('length').onsubmit = (event) => { event.preventDefault(); $('start').click() }
const kept = JSON.parse(localStorage.getItem('length') || 'null')
if (kept) [$('minutes').value, $('seconds').value] = kept
show(wanted())`
