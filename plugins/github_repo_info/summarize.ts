import type { HandlerContext } from '../../src/runs/plugins/handler-context'
import { say, shorten } from '../_service/words'
import type { RepositoryFacts } from './index'

/** One line a person can read. */
export function summarize(facts: RepositoryFacts, context: HandlerContext): string {
  const { full_name: name, stars, forks, open_issues_and_pull_requests: open, license, latest_release: release } = facts
  const [language] = facts.languages
  const pushed = facts.pushed_at?.slice(0, 10)
  const zh = [
    `${name}${facts.archived ? '（已归档）' : ''}：${stars} 星标，${forks} 复刻，${open} 个未关闭的议题和合并请求`,
    license && `许可证 ${license}`,
    language && `主要语言 ${language.name}`,
    facts.default_branch && `默认分支 ${facts.default_branch}`,
    pushed && `最近推送 ${pushed}`,
    release && `最新版本 ${release.tag}`,
  ]
  const en = [
    `${name}${facts.archived ? ' (archived)' : ''}: ${stars} stars, ${forks} forks, ${open} open issues and pull requests`,
    license && `license ${license}`,
    language && `mostly ${language.name}`,
    facts.default_branch && `default branch ${facts.default_branch}`,
    pushed && `last push ${pushed}`,
    release && `latest release ${release.tag}`,
  ]
  const about = facts.description === null ? '' : `\n${shorten(facts.description, 200)}`
  const line = say(context, { zh: `${zh.filter(Boolean).join('，')}。`, en: `${en.filter(Boolean).join(', ')}.` })
  return `${line}${about}`
}
