import { call, lastAnswer, say } from '../conversation'
import type { Conversation, Intent, Step } from '../conversation'
import { CANCEL, LIST, listedPending } from '../reminders/tools'
import { quotedTitles, saysNo, saysYes } from './pick-task'
import { QUERY, readTasks, REMIND } from './results'

const OFFERED_CANCEL = /要一起取消吗？$|Shall I cancel it too\?$/
const OFFERED_MOVE =
  /（提前([0-9]+)分钟），要一起改吗？$|\(([0-9]+) minutes before the old start\)\. Shall I move it too\?$/

/** After a task went or moved, its reminder was offered to follow: yes cancels or moves it, no leaves it. */
export const followReminder: Intent = (conversation, tools) => {
  const said = lastAnswer(conversation)
  const move = OFFERED_MOVE.exec(said)
  const title = quotedTitles(said).at(-1)
  if (title === undefined || !(move || OFFERED_CANCEL.test(said))) return undefined
  if (saysNo(conversation.text)) return say(conversation, { zh: '好的，提醒保持不变。', en: 'OK, the reminder stays.' })
  if (!saysYes(conversation.text) || ![LIST, CANCEL, REMIND].every((name) => tools.has(name))) return undefined
  return move ? moveIt(title, Number(move[1] ?? move[2]), conversation) : cancelIt(title, conversation)
}

function cancelIt(title: string, conversation: Conversation): Step | undefined {
  const { results } = conversation
  if (results.length === 0) return call(LIST)
  if (results.at(-1)?.name !== LIST) return undefined
  const meant = (listedPending(results) ?? []).filter(({ messageText }) => messageText.includes(title))
  if (meant.length === 0) return say(conversation, { zh: '没有找到这条提醒。', en: 'I found no such reminder.' })
  return { calls: meant.map(({ taskId }) => ({ name: CANCEL, arguments: { task_id: taskId } })) }
}

function moveIt(title: string, minutesBefore: number, conversation: Conversation): Step | undefined {
  const last = conversation.results.at(-1)
  if (!last) return call(QUERY, { status: 'pending' })
  if (last.name !== QUERY) return undefined
  const task = readTasks(last.result).find((shown) => shown.title === title)
  return task ? call(REMIND, { taskId: task.taskId, minutesBefore, replaceExisting: true }) : undefined
}
