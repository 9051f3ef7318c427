import type { JsonObject } from '../../src/contracts/words'
import type { HandlerContext } from '../../src/runs/plugins/handler-context'
import { askService, bearer, join, sendJson } from '../_service/ask-service'
import type { Service } from '../_service/ask-service'
import { numberAt, textAt } from '../_service/fields'
import { fault, say, shorten } from '../_service/words'

interface Args {
  group_id: number | string
}

const ACTION = 'mark_group_msg_as_read'

const onebot: Service = {
  name: 'OneBot',
  keySetting: 'ONEBOT_ACCESS_TOKEN',
  explain: ({ status }, context) => (status === 404 ? notOffered(context) : undefined),
}

/** Marks a group as read by an action of OneBot v11 over HTTP. */
export async function handler({ group_id: group }: Args, context: HandlerContext): Promise<JsonObject> {
  const { ONEBOT_HTTP_URL: url = '', ONEBOT_ACCESS_TOKEN: token } = context.settings
  const request = sendJson({ group_id: Number(group) }, bearer(token))
  const answer = await askService(context, onebot, join(url, ACTION), request)
  checkAnswer(answer, context)
  const summary = say(context, {
    zh: `QQ 群 ${group} 的消息已标记为已读。`,
    en: `The messages of QQ group ${group} are marked as read.`,
  })
  return { summary, group_id: String(group), status: textAt(answer, 'status') ?? 'ok' }
}

/** OneBot answers HTTP 200 for what it could not do as well: `status` and `retcode` say it. */
function checkAnswer(answer: JsonObject, context: HandlerContext): void {
  const retcode = numberAt(answer, 'retcode')
  const status = textAt(answer, 'status')
  // `async` with 1 means that it was accepted and will be done.
  if ((status === 'ok' && retcode === 0) || (status === 'async' && retcode === 1)) return
  if (retcode === 404 || retcode === 1404) throw new Error(notOffered(context))
  const words = textAt(answer, 'wording') ?? textAt(answer, 'message') ?? textAt(answer, 'msg')
  const detail = words === undefined ? '' : `: ${shorten(words, 300)}`
  throw fault(context, {
    zh: `OneBot 没有办成（retcode ${retcode ?? '?'}）${detail}`,
    en: `OneBot could not do it (retcode ${retcode ?? '?'})${detail}`,
  })
}

const notOffered = (context: HandlerContext): string =>
  say(context, {
    zh: `这个 OneBot 实现没有 ${ACTION} 动作；NapCat 有。`,
    en: `This OneBot implementation has no action ${ACTION}; NapCat has it.`,
  })
