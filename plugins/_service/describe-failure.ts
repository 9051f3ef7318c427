import type { JsonObject } from '../../src/contracts/words'
import type { HandlerContext } from '../../src/runs/plugins/handler-context'
import type { Failure, Service } from './ask-service'
import { objectAt, textAt } from './fields'
import { say, shorten } from './words'

const DETAIL_CHARACTERS = 300

/** What a refusal means for the person or the operator, with the service's own words behind it. */
export function describeFailure(context: HandlerContext, service: Service, failure: Failure): string {
  const own = service.explain?.(failure, context)
  const detail = withoutSecrets(detailOf(failure.body), context)
  return (own ?? explain(context, service, failure)) + (detail === '' ? '' : say(context, around(detail)))
}

const around = (detail: string) => ({ zh: `（${detail}）`, en: ` (${detail})` })

function explain(context: HandlerContext, { name, keySetting }: Service, { status, headers }: Failure): string {
  if ((status === 401 || status === 403) && keySetting !== undefined) {
    return say(context, {
      zh: `${name} 拒绝了请求（${status}）：请检查设置 ${keySetting}。`,
      en: `${name} refused the request (${status}): check the setting ${keySetting}.`,
    })
  }
  if (status === 429) return tooMany(context, name, headers)
  if (status >= 500) {
    return say(context, {
      zh: `${name} 出了故障（${status}），请稍后再试。`,
      en: `${name} failed (${status}); try again later.`,
    })
  }
  return say(context, {
    zh: `${name} 没有接受请求（${status}）。`,
    en: `${name} did not accept the request (${status}).`,
  })
}

function tooMany(context: HandlerContext, name: string, headers: Headers): string {
  const seconds = headers.get('retry-after') ?? ''
  const isKnown = /^\d{1,6}$/.test(seconds)
  return say(context, {
    zh: `${name} 收到的请求太多（429），请${isKnown ? ` ${seconds} 秒后` : '稍后'}再试。`,
    en: `${name} got too many requests (429); try again ${isKnown ? `in ${seconds} s` : 'later'}.`,
  })
}

/** Where the services we know put their reason. */
function detailOf(body: JsonObject): string {
  const inside = objectAt(body, 'error') ?? objectAt(body, 'detail') ?? {}
  const found =
    textAt(inside, 'message') ??
    textAt(inside, 'error') ??
    ['error', 'detail', 'wording', 'message', 'msg']
      .map((name) => textAt(body, name))
      .find((text) => text !== undefined)
  return shorten(found ?? '', DETAIL_CHARACTERS)
}

/** Some servers repeat the key they refuse; what we say is shown in a chat. */
function withoutSecrets(text: string, { settings }: HandlerContext): string {
  const secrets = Object.entries(settings).filter(([name]) => /KEY|TOKEN/.test(name))
  return secrets.reduce((left, [, secret]) => (secret ? left.replaceAll(secret, '***') : left), text)
}
