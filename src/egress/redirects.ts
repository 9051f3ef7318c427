const REDIRECTS = new Set([301, 302, 303, 307, 308])
const HARMLESS = new Set(['accept', 'accept-language', 'user-agent'])

/** Where the answer sends us, if we go: a body is never sent to a second place. */
export function redirectOf(
  answer: { status: number; headers: Headers },
  from: URL,
  method: string,
): string | undefined {
  const location = answer.headers.get('location')
  if (!REDIRECTS.has(answer.status) || location === null || !['GET', 'HEAD'].includes(method)) return undefined
  return URL.canParse(location, from.href) ? new URL(location, from).href : location
}

export function isSameOrigin(next: string, current: URL): boolean {
  return URL.canParse(next) && new URL(next).origin === current.origin
}

/** Keys and cookies are meant for the host that was asked, not for where it sends us. */
export function harmlessHeaders(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name.toLowerCase())))
}
