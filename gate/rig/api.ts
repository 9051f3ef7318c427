/** An answer of a front door; `status` 0 is no answer at all. */
export interface Answer<T = Record<string, unknown>> {
  status: number
  data: T | undefined
  error: string | undefined
  tookMs: number
  headers: Record<string, string>
}

export interface Call {
  body?: unknown
  key?: string
  headers?: Record<string, string>
  timeoutMs?: number
}

/** Asks a front door as any program does. Never throws: no answer is an answer too. */
export async function callApi<T = Record<string, unknown>>(
  url: string,
  method: string,
  path: string,
  { body, key, headers, timeoutMs = 30_000 }: Call = {},
): Promise<Answer<T>> {
  const begun = performance.now()
  const took = () => performance.now() - begun
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined
          ? {}
          : key.startsWith('lbk_')
            ? { 'x-api-key': key }
            : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    const parsed = parse(text) as { data?: T; error?: { code?: string } | string; code?: string }
    const error = typeof parsed.error === 'object' ? parsed.error.code : (parsed.code ?? parsed.error)
    const said = Object.fromEntries(response.headers.entries())
    return { status: response.status, data: parsed.data, error, tookMs: took(), headers: said }
  } catch (error) {
    return {
      status: 0,
      data: undefined,
      error: error instanceof Error ? error.name : 'unknown',
      tookMs: took(),
      headers: {},
    }
  }
}

function parse(text: string): object {
  try {
    return (JSON.parse(text) ?? {}) as object
  } catch {
    return {}
  }
}
