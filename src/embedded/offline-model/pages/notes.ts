import { framePage } from './frame'
import { inLanguage } from './page-wish'
import type { PageWish } from './page-wish'

/** Notes and lists of things to do: lines that can be added, ticked off and removed, kept in the browser. */
export function writeNotes(wish: PageWish): string {
  const say = (zh: string, en: string) => inLanguage(wish, zh, en)
  return framePage({
    title: wish.name,
    language: wish.language,
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
