import { t } from './language'

/** Plugins are named for machines; a person reads words. A plan names several. */
export const plainName = (names: string) => names.split(', ').map(plain).join(', ')

function plain(name: string): string {
  const bare = name.replace(/^local__/, '')
  return t().plugins[bare] ?? bare.replaceAll('_', ' ').trim()
}
