import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { api, ApiError, keepToken, messageOf } from '../api'
import { t } from '../language'
import { Mark } from './icons'
import { Preferences } from './preferences'

const problem = signal<string | null>(null)
const busy = signal(false)

async function signIn(credentials: object): Promise<void> {
  busy.value = true
  try {
    const answer = await api<{ token: string }>('/api/v1/auth/login', { body: credentials })
    problem.value = null
    keepToken(answer.token)
  } finally {
    busy.value = false
  }
}

/** The printed link carries its token behind the #, where no server log sees it; it is taken out of the address at once. */
export async function signInByLink(): Promise<void> {
  const [, linkToken] = /^#token=(.+)$/.exec(location.hash) ?? []
  if (linkToken === undefined) return
  history.replaceState(null, '', location.pathname)
  keepToken(null)
  await signIn({ token: linkToken }).catch(() => void (problem.value = t().signIn.linkUsed))
}

export function SignIn({ ended }: { ended: boolean }): JSX.Element {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const credentials = { username: form.get('username'), password: form.get('password') }
    signIn(credentials).catch((error: unknown) => {
      const isWrong = error instanceof ApiError && error.status === 401
      problem.value = isWrong ? t().signIn.wrong : messageOf(error)
    })
  }
  const words = problem.value ?? (ended ? t().signIn.ended : null)
  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <h1 class="brand">
          <Mark /> {t().name}
        </h1>
        <p class="motto">{t().motto}</p>
        <label>
          {t().signIn.username}
          <input name="username" autocomplete="username" autoCapitalize="none" required />
        </label>
        <label>
          {t().signIn.password}
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <button class="primary" disabled={busy.value}>
          {busy.value ? t().signIn.busy : t().signIn.submit}
        </button>
        <p class="bad" role="alert">
          {words}
        </p>
        <p class="muted small">{t().signIn.hint}</p>
        <Preferences />
      </form>
    </main>
  )
}
