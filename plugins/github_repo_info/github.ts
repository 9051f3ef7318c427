import type { JsonObject } from '../../src/contracts/words'
import type { HandlerContext } from '../../src/runs/plugins/handler-context'
import { askService, bearer, join, ServiceError } from '../_service/ask-service'
import type { Failure, Service } from '../_service/ask-service'
import { say } from '../_service/words'

/** Reads a path of the REST API; `undefined` when there is nothing there. */
export type ReadGithub = (path: string) => Promise<JsonObject | undefined>

const github: Service = { name: 'GitHub', keySetting: 'GITHUB_TOKEN', explain }

export function createGithubReader(baseUrl: string, context: HandlerContext): ReadGithub {
  const headers = {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    // GitHub refuses requests without one.
    'user-agent': 'punctual',
    ...bearer(context.settings['GITHUB_TOKEN']),
  }
  return async (path) => {
    try {
      return await askService(context, github, join(baseUrl, path), { headers })
    } catch (error) {
      if (error instanceof ServiceError && error.status === 404) return undefined
      throw error
    }
  }
}

/** GitHub says with 403 or 429 that the limit is used up, and in headers until when. */
function explain({ status, headers }: Failure, context: HandlerContext): string | undefined {
  const isLimited = headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after')
  if ((status !== 403 && status !== 429) || !isLimited) return undefined
  const minutes = minutesToWait(headers)
  const hasToken = context.settings['GITHUB_TOKEN'] !== undefined
  return say(context, {
    zh: `GitHub 的请求次数用完了（${status}），约 ${minutes} 分钟后再试。${hasToken ? '' : '设置 GITHUB_TOKEN 可以提高次数。'}`,
    en: `The GitHub rate limit is used up (${status}); try again in about ${minutes} min.${hasToken ? '' : ' A GITHUB_TOKEN raises the limit.'}`,
  })
}

function minutesToWait(headers: Headers): number {
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN)
  const seconds = Number(headers.get('retry-after') ?? reset - Date.now() / 1_000)
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds / 60)) : 60
}
