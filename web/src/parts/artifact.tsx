import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { request } from '../api'
import { t } from '../language'

const REFERENCE = /^(?:https?:\/\/[^/]+)?\/api\/v1\/artifacts\/([0-9a-f-]{36})$/

export function artifactIdOf(href: string): string | undefined {
  return REFERENCE.exec(href)?.[1]
}

interface Loaded {
  url: string
  isImage: boolean
  name: string
}

/** A file of a run. It needs the reader's token, so it is fetched and shown from memory. */
export function Artifact({ id, label }: { id: string; label: ComponentChildren }): JSX.Element {
  const [loaded, setLoaded] = useState<Loaded | 'failed' | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    let url: string | undefined
    fetchFile(id, stop.signal).then(
      (file) => {
        url = file.url
        if (stop.signal.aborted) URL.revokeObjectURL(file.url)
        else setLoaded(file)
      },
      () => stop.signal.aborted || setLoaded('failed'),
    )
    return () => {
      stop.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [id])
  if (loaded === null) return <span class="muted">{t().loading}</span>
  if (loaded === 'failed') return <span class="bad">{t().talk.artifactFailed}</span>
  const picture = loaded.isImage ? (
    <img src={loaded.url} alt={typeof label === 'string' && label ? label : t().talk.imageAlt} />
  ) : null
  return (
    <span class="artifact">
      {picture}
      <a href={loaded.url} download={loaded.name}>
        {t().talk.download} {loaded.name}
      </a>
    </span>
  )
}

async function fetchFile(id: string, signal: AbortSignal): Promise<Loaded> {
  const answer = await request(`/api/v1/artifacts/${id}`, { signal, accept: '*/*' })
  const blob = await answer.blob()
  const [, name = 'file'] = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get('content-disposition') ?? '') ?? []
  return { url: URL.createObjectURL(blob), isImage: blob.type.startsWith('image/'), name: decodeURIComponent(name) }
}
