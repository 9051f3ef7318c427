import { escapeHtml, framePage, inLanguage } from './frame'
import type { PageRequest } from './frame'

/** Notes and lists of things to do: lines that can be added, ticked off and removed, kept in the browser. */
export function writeNotes(request: PageRequest): string {
  const say = (zh: string, en: string) => inLanguage(request, zh, en)
  return framePage({
    title: request.name,
    language: request.language,
    style: `form { display: flex; gap: .5rem }
#text { flex: 1; min-width: 0 }
ul { list-style: none; padding: 0 }
li { display: flex; gap: .5rem; align-items: center; padding: .3rem 0 }
li span { flex: 1; overflow-wrap: anywhere }
.done { text-decoration: line-through; opacity: .6 }`,
    body: `<form id="add">
<input id="text" maxlength="500" aria-label="${say('新的一条', 'New note')}" placeholder="${say('写点什么……', 'Write something…')}">
<button>${say('添加', 'Add')}</button>
</form>
<ul id="list"></ul>
<p id="empty">${say('还没有内容。', 'Nothing here yet.')}</p>`,
    script: SCRIPT.replace('REMOVE', JSON.stringify(say('删除', 'Remove'))),
  })
}

const SCRIPT = `const $ = (id) => document.getElementById(id)
let notes = JSON.parse(localStorage.getItem('notes') || '[]')

function save() {
  localStorage.setItem('notes', JSON.stringify(notes))
  show()
}

function show() {
  $('empty').hidden = notes.length > 0
  $('list').replaceChildren(...notes.map((note, at) => {
    const line = document.createElement('li')
    const tick = Object.assign(document.createElement('input'), { type: 'checkbox', checked: note.done })
    const text = Object.assign(document.createElement('span'), { textContent: note.text, className: note.done ? 'done' : '' })
    const remove = Object.assign(document.createElement('button'), { type: 'button', textContent: REMOVE })
    tick.setAttribute('aria-label', note.text)
    tick.onchange = () => { notes[at].done = tick.checked; save() }
    remove.onclick = () => { notes.splice(at, 1); save() }
    line.append(tick, text, remove)
    return line
  }))
}

$('add').onsubmit = (event) => {
  event.preventDefault()
  const text = $('text').value.trim()
  if (text === '') return
  notes.unshift({ text, done: false })
  $('text').value = ''
  save()
}
show()`

/** What the rules have no page for: the request itself, honestly, with a sheet to write on. */
export function writePlainPage(request: PageRequest): string {
  const about = inLanguage(
    request,
    '离线模型只会写计算器、计时器和记事页；这是一张带记录框的页面。配置模型后可以做出真正的应用。',
    'The offline model can write calculators, timers and note pages only; this is a page to write on. With a model set up, a real app can be made.',
  )
  return framePage({
    title: request.name,
    language: request.language,
    style: 'textarea { width: 100%; box-sizing: border-box; min-height: 12rem } small { opacity: .7 }',
    body: `<p>${escapeHtml(request.description)}</p>
<textarea id="sheet" aria-label="${inLanguage(request, '记录', 'Notes')}"></textarea>
<p><small>${about}</small></p>`,
    script: `const sheet = document.getElementById('sheet')
sheet.value = localStorage.getItem('sheet') || ''
sheet.oninput = () => localStorage.setItem('sheet', sheet.value)`,
  })
}
