import { escapeHtml, framePage } from './frame'
import { inLanguage } from './page-wish'
import type { PageWish } from './page-wish'

/** What the rules have no page for: the wish itself, honestly, with a sheet to write on. */
export function writePlainPage(wish: PageWish): string {
  const about = inLanguage(
    wish,
    '离线模型只会写计算器、计时器和记事页；这是一张带记录框的页面。配置模型后可以做出真正的应用。',
    'The offline model can write calculators, timers and note pages only; this is a page to write on. With a model set up, a real app can be made.',
  )
  return framePage({
    title: wish.name,
    language: wish.language,
    style: 'textarea { width: 100%; box-sizing: border-box; min-height: 12rem } small { opacity: .7 }',
    body: `<p>${escapeHtml(wish.description)}</p>
<textarea id="sheet" aria-label="${inLanguage(wish, '记录', 'Notes')}"></textarea>
<p><small>${about}</small></p>`,
    script: `const sheet = document.getElementById('sheet')
sheet.value = localStorage.getItem('sheet') || ''
sheet.oninput = () => localStorage.setItem('sheet', sheet.value)`,
  })
}
