import type { HandlerContext } from '../../src/runs/plugins/handler-context'
import { fault } from '../_service/words'

export interface RepositoryName {
  owner: string
  name: string
}

const OWNER = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9_])?$/
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/
const SSH = /^(?:ssh:\/\/)?git@([^:/]+)[:/](.+)$/

/** Reads "name" with an owner, "owner/name", an address of a page, or what `git clone` takes. */
export function readRepositoryName(
  given: { owner?: string; repo: string },
  hosts: string[],
  context: HandlerContext,
): RepositoryName {
  const parts = partsOf(given.repo.trim(), hosts, context)
  const [owner, name] = parts.length >= 2 ? parts : [given.owner?.trim(), parts[0]]
  const plain = name?.replace(/\.git$/, '')
  if (owner && plain && OWNER.test(owner) && NAME.test(plain)) return { owner, name: plain }
  throw fault(context, {
    zh: '看不懂是哪个仓库：请写成 owner/name，或给出仓库的网址。',
    en: 'It is not clear which repository is meant: write owner/name, or give its address.',
  })
}

function partsOf(text: string, hosts: string[], context: HandlerContext): string[] {
  const ssh = SSH.exec(text)
  const url = ssh ? `https://${ssh[1]}/${ssh[2]}` : /^[\w.-]+\.[a-z]{2,}\//i.test(text) ? `https://${text}` : text
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return text.split('/').filter(Boolean)
  const { hostname, pathname } = new URL(url)
  if (!hosts.includes(hostname.replace(/^www\./, ''))) {
    throw fault(context, {
      zh: `${hostname} 不是所配置的 GitHub。`,
      en: `${hostname} is not the GitHub that is set up.`,
    })
  }
  return pathname.split('/').filter(Boolean)
}
