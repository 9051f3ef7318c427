import type { JsonObject } from '../../src/contracts/words'
import type { HandlerContext } from '../../src/runs/plugins/handler-context'
import { numberAt, objectAt, textAt } from '../_service/fields'
import { fault } from '../_service/words'
import { createGithubReader } from './github'
import type { ReadGithub } from './github'
import { readLanguages, readRelease } from './read-answers'
import { readRepositoryName } from './repository-name'
import { summarize } from './summarize'

interface Args {
  owner?: string
  repo: string
}

const GITHUB_API_URL = 'https://api.github.com'

/** What GitHub says about a repository now. */
export async function handler(args: Args, context: HandlerContext): Promise<JsonObject> {
  const baseUrl = context.settings['GITHUB_API_URL'] ?? GITHUB_API_URL
  const { owner, name } = readRepositoryName(args, ['github.com', hostOf(baseUrl)], context)
  const read = createGithubReader(baseUrl, context)
  const path = `repos/${owner}/${name}`
  const repository = await read(path)
  if (!repository) throw notFound(`${owner}/${name}`, context)
  const [release, languages] = await Promise.all([
    readBeside(read, `${path}/releases/latest`, context),
    readBeside(read, `${path}/languages`, context),
  ])
  const facts = { ...factsOf(repository), latest_release: readRelease(release), languages: readLanguages(languages) }
  return { summary: summarize(facts, context), ...facts }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '')

/** What is known of the repository counts even if what stands beside it cannot be had. */
async function readBeside(read: ReadGithub, path: string, context: HandlerContext): Promise<JsonObject | undefined> {
  try {
    return await read(path)
  } catch (error) {
    if (context.signal.aborted) throw error
    context.log.warn('a part of the answer is missing', { path, reason: String(error) })
    return undefined
  }
}

function factsOf(repository: JsonObject) {
  const license = objectAt(repository, 'license')
  return {
    full_name: textAt(repository, 'full_name') ?? '',
    url: textAt(repository, 'html_url') ?? null,
    description: textAt(repository, 'description') ?? null,
    stars: numberAt(repository, 'stargazers_count') ?? 0,
    forks: numberAt(repository, 'forks_count') ?? 0,
    watchers: numberAt(repository, 'subscribers_count') ?? null,
    /** GitHub counts pull requests as issues here. */
    open_issues_and_pull_requests: numberAt(repository, 'open_issues_count') ?? 0,
    license: (license && (textAt(license, 'spdx_id') ?? textAt(license, 'name'))) ?? null,
    default_branch: textAt(repository, 'default_branch') ?? null,
    created_at: textAt(repository, 'created_at') ?? null,
    pushed_at: textAt(repository, 'pushed_at') ?? null,
    archived: repository['archived'] === true,
    fork: repository['fork'] === true,
  }
}

export type RepositoryFacts = ReturnType<typeof factsOf> & {
  latest_release: ReturnType<typeof readRelease>
  languages: ReturnType<typeof readLanguages>
}

function notFound(repository: string, context: HandlerContext): Error {
  const hasToken = context.settings['GITHUB_TOKEN'] !== undefined
  return fault(context, {
    zh: `GitHub 上没有仓库 ${repository}，或者它是私有的${hasToken ? '' : '（查看私有仓库需要设置 GITHUB_TOKEN）'}。`,
    en: `GitHub has no repository ${repository}, or it is private${hasToken ? '' : ' (private ones need GITHUB_TOKEN)'}.`,
  })
}
