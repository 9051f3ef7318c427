import type { Language } from '../../contracts/words'

/** What the person wants a page for, as `html_to_app` says it. */
export interface PageRequest {
  name: string
  description: string
  language: Language
}

export const inLanguage = ({ language }: PageRequest, zh: string, en: string): string => (language === 'zh' ? zh : en)

export interface PageParts {
  title: string
  language: Language
  style: string
  body: string
  script: string
}

/** A whole page that needs nothing from anywhere. */
export function framePage({ title, language, style, body, script }: PageParts): string {
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
${BASE_STYLE}
${style}
</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
<script>
${script}
</script>
</body>
</html>`
}

const BASE_STYLE = `:root { color-scheme: light dark; font: 18px/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText }
main { width: min(94vw, 30rem); padding: 1rem 0 }
h1 { font-size: 1.3rem }
button, input, textarea { font: inherit; padding: .5rem .8rem; border: 1px solid #8888; border-radius: .5rem; background: #8882; color: inherit }
button { cursor: pointer }
:focus-visible { outline: 3px solid #2563eb }`

/** What a person wrote is shown, never run. */
export function escapeHtml(text: string): string {
  const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replaceAll(/[&<>"']/g, (mark) => marks[mark] ?? mark)
}
