import { startLocalService } from './local-service'
import type { Answer, Asked, LocalService } from './local-service'
import { refusal, useShippedPlugins } from './shipped-fixture'

const { run } = useShippedPlugins()

const REPOSITORY = {
  full_name: 'octo/clock',
  html_url: 'https://github.com/octo/clock',
  description: 'A clock that is never late',
  stargazers_count: 1234,
  forks_count: 56,
  subscribers_count: 7,
  open_issues_count: 8,
  license: { key: 'mit', name: 'MIT License', spdx_id: 'MIT' },
  default_branch: 'main',
  created_at: '2020-01-01T00:00:00Z',
  pushed_at: '2026-11-16T10:00:00Z',
  archived: false,
  fork: false,
}
const RELEASE = {
  tag_name: 'v2.0.0',
  name: 'Two',
  published_at: '2026-10-01T00:00:00Z',
  html_url: 'https://github.com/r',
}
const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found', status: '404' } }

/** Speaks like api.github.com: no answer without a user agent, 401 for a bad token, a redirect for a renamed one. */
function serveGithub({ method, path, headers }: Asked): Answer {
  if (method !== 'GET') return NOT_FOUND
  if (!headers['user-agent'] || headers['user-agent'] === 'node') return { status: 403, body: 'No User-Agent' }
  const { authorization } = headers
  if (authorization !== undefined && authorization !== 'Bearer good') {
    return { status: 401, body: { message: 'Bad credentials' } }
  }
  if (path === '/repos/octo/old') return { status: 301, headers: { location: `/repos/octo/clock` } }
  if (path === '/repos/octo/bare') return { body: { full_name: 'octo/bare', license: null } }
  if (path === '/repos/octo/clock') return { body: REPOSITORY }
  if (path === '/repos/octo/clock/releases/latest') return { body: RELEASE }
  if (path === '/repos/octo/clock/languages') return { body: { Shell: 250, TypeScript: 750 } }
  return NOT_FOUND
}

let github: LocalService
beforeAll(async () => {
  github = await startLocalService(serveGithub)
})
afterAll(() => github.close())
afterEach(() => github.answerWith(undefined))

const ask = (args: { owner?: string; repo: string }, settings = {}) =>
  run('github_repo_info', args, { GITHUB_API_URL: github.url, ...settings })

it('tells what GitHub knows of a repository', async () => {
  const { result } = await ask({ owner: 'octo', repo: 'clock' }, { GITHUB_TOKEN: 'good' })
  expect(result).toMatchObject({
    success: true,
    code: 'OK',
    data: {
      full_name: 'octo/clock',
      stars: 1234,
      forks: 56,
      open_issues_and_pull_requests: 8,
      license: 'MIT',
      default_branch: 'main',
      pushed_at: '2026-11-16T10:00:00Z',
      latest_release: { tag: 'v2.0.0' },
      languages: [
        { name: 'TypeScript', percent: 75 },
        { name: 'Shell', percent: 25 },
      ],
      summary:
        'octo/clock: 1234 stars, 56 forks, 8 open issues and pull requests, license MIT, mostly TypeScript, default branch main, last push 2026-11-16, latest release v2.0.0.\nA clock that is never late',
    },
  })
  expect(github.asked.at(-1)?.headers).toMatchObject({
    authorization: 'Bearer good',
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  })
})

it('says it in Chinese, and knows repositories without releases, languages or a license', async () => {
  const { result } = await ask({ repo: 'octo/bare' }, { language: 'zh' })
  expect(result.data).toMatchObject({
    summary: 'octo/bare：0 星标，0 复刻，0 个未关闭的议题和合并请求。',
    ...{ license: null, latest_release: null, languages: [] },
  })
})

it.each([
  'octo/clock',
  'https://github.com/octo/clock',
  'github.com/octo/clock.git',
  'https://www.github.com/octo/clock/tree/main/src?tab=readme',
  'git@github.com:octo/clock.git',
  'octo/old',
])('finds %s', async (repo) => {
  expect((await ask({ repo })).result).toMatchObject({ success: true, data: { full_name: 'octo/clock' } })
})

it.each(['clock', 'a b/c', '../../user', 'octo/..', 'https://gitlab.com/octo/clock', 'octo/clock%2f..'])(
  'does not ask for %s',
  async (repo) => {
    const before = github.asked.length
    expect((await ask({ repo })).result).toMatchObject(refusal(/owner\/name|not the GitHub/))
    expect(github.asked).toHaveLength(before)
  },
)

it.each<[string, Answer, RegExp]>([
  ['404', NOT_FOUND, /no repository octo\/clock, or it is private \(private ones need GITHUB_TOKEN\)/],
  ['500', { status: 500, body: 'oops' }, /^GitHub failed \(500\)/],
  ['no JSON', { body: '<html>' }, /not usable JSON/],
  [
    'a used-up limit',
    {
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 3600) },
      body: { message: 'API rate limit exceeded for 127.0.0.1.' },
    },
    /rate limit is used up \(403\); try again in about (5\d|60|61) min\. A GITHUB_TOKEN raises/,
  ],
  ['a secondary limit', { status: 429, headers: { 'retry-after': '60' } }, /used up \(429\); try again in about 1 min/],
])('says what %s means', async (_case, answer, reason) => {
  github.answerWith(answer)
  expect((await ask({ repo: 'octo/clock' })).result).toMatchObject(refusal(reason))
})

it('names the setting when the token is refused, and does not show the token', async () => {
  const { result } = await ask({ repo: 'octo/clock' }, { GITHUB_TOKEN: 'stale-token', language: 'zh' })
  expect(result).toMatchObject(refusal(/请检查设置 GITHUB_TOKEN/))
  expect(JSON.stringify(result)).not.toContain('stale-token')
})

it('says that GitHub cannot be reached', async () => {
  const { result } = await ask({ repo: 'octo/clock' }, { GITHUB_API_URL: 'http://127.0.0.1:9' })
  expect(result).toMatchObject(refusal(/^GitHub could not be asked: /))
})
