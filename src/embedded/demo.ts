import fs from 'node:fs'

/** One of each kind of promise, some of them due while a person still looks. */
const SAID = [
  'remind me in 25 seconds to drink water',
  '明天早上9点提醒我开会',
  'every weekday at 9:00 remind me to stand up',
  'draw a cat and tell me in 20 seconds',
  '明天下午去买东西',
]
const ANSWER_WITHIN_MS = 60_000

/** `npm start -- --demo`: fills the administrator's conversation with live examples, through the front door. */
export async function fillDemo({ url, credentialsPath }: { url: string; credentialsPath: string }): Promise<string[]> {
  const ask = (route: string, headers: Record<string, string>, body: object) =>
    fetch(url + route, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
  const { api_key, username, password } = JSON.parse(fs.readFileSync(credentialsPath, 'utf8')) as Record<string, string>
  const signedIn = await ask('/api/v1/auth/login', {}, { username, password })
  // As the person who will look at the page; the key stands in when the password was changed since.
  const token = signedIn.ok ? ((await signedIn.json()) as { data: { token: string } }).data.token : undefined
  const headers: Record<string, string> =
    token === undefined ? { 'x-api-key': api_key ?? '' } : { authorization: `Bearer ${token}` }
  const lines: string[] = []
  for (const message of SAID) {
    const answer = await ask('/api/ai/chat', headers, { message })
    const { data } = (await answer.json()) as { data?: { content?: string } }
    lines.push(`> ${message}`, `  ${data?.content ?? `(${answer.status})`}`)
  }
  return lines
}
