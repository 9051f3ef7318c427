import { signal } from '@preact/signals'
import { api } from '../api'

interface About {
  version: string
  model: string
  temporal_ui_url: string | null
  temporal_namespace: string
}

export const about = signal<About | null>(null)

/** Only links need it: a page that cannot read it goes without them. */
export async function loadAbout(): Promise<void> {
  about.value = await api<About>('/api/v1/about').catch(() => null)
}

const place = (kind: 'workflows' | 'schedules', id: string) => {
  const { temporal_ui_url: url, temporal_namespace: namespace } = about.value ?? {}
  if (!url || !namespace) return undefined
  return `${url.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/${kind}/${encodeURIComponent(id)}`
}
export const workflowUrl = (id: string) => place('workflows', id)
export const scheduleUrl = (id: string) => place('schedules', id)
