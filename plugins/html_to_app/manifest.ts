import type { Language } from '../../src/contracts/words'
import type { AppName } from './app-name'

/** What a browser reads to install the app. */
export function toManifest({ shown, slug }: AppName, color: string, language: Language): string {
  const manifest = {
    id: `./?app=${slug}`,
    name: shown,
    short_name: [...shown].slice(0, 12).join(''),
    lang: language === 'zh' ? 'zh-CN' : 'en',
    start_url: './index.html',
    scope: './',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: color,
    icons: [
      { src: 'icons/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      { src: 'icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: 'icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: 'icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
