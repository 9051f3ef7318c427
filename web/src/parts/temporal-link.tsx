import type { JSX } from 'preact'
import { t } from '../language'
import { Icon } from './icons'

export function TemporalLink({ url }: { url: string | undefined }): JSX.Element | null {
  if (url === undefined) return null
  return (
    <a
      class="temporal"
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      title={t().promises.temporalLabel}
      aria-label={t().promises.temporalLabel}
    >
      {t().promises.temporal} <Icon name="external" />
    </a>
  )
}
