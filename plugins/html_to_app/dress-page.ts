/**
 * Nothing from the network, whatever the page tries. Inline code is what the page is made of, and small calculators
 * are often written with `eval`.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "media-src 'self' data: blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self' blob:",
  "form-action 'self'",
].join('; ')

/** A page opened as a file has no service workers: it works all the same, without being installable. */
const REGISTRATION = `<script>
if ('serviceWorker' in navigator && location.protocol.startsWith('http')) {
  navigator.serviceWorker.register('service-worker.js').catch(function () {})
}
</script>`

/** Parts that the page must not have twice, or that could work against those put in. */
const REPLACED =
  /<meta\b[^>]{0,500}http-equiv\s*=\s*["']?content-security-policy[^>]{0,2000}>|<link\b[^>]{0,500}rel\s*=\s*["']?(?:manifest|icon|shortcut icon|apple-touch-icon)\b[^>]{0,2000}>|<base\b[^>]{0,500}>/gi

export interface Dress {
  name: string
  color: string
}

/** Makes the page installable and keeps it offline. */
export function dressPage(page: string, dress: Dress): string {
  const plain = page.replaceAll(REPLACED, '')
  const withHead = /<head[\s>]/i.test(plain) ? plain : plain.replace(/<html[^>]*>/i, (html) => `${html}<head></head>`)
  const headed = withHead.replace(/<head[^>]*>/i, (head) => `${head}\n${headOf(plain, dress)}`)
  const at = headed.toLowerCase().lastIndexOf('</body>')
  return at < 0 ? `${headed}\n${REGISTRATION}` : `${headed.slice(0, at)}${REGISTRATION}\n${headed.slice(at)}`
}

/** The name holds no character that means something in HTML. */
function headOf(page: string, { name, color }: Dress): string {
  return [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    ...(/name\s*=\s*["']?viewport/i.test(page)
      ? []
      : ['<meta name="viewport" content="width=device-width, initial-scale=1">']),
    ...(/<title[\s>]/i.test(page) ? [] : [`<title>${name}</title>`]),
    `<meta name="theme-color" content="${color}">`,
    '<link rel="manifest" href="manifest.webmanifest">',
    '<link rel="icon" type="image/svg+xml" href="icons/icon.svg">',
    '<link rel="apple-touch-icon" href="icons/icon-192.png">',
  ].join('\n')
}
