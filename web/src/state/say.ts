import { ApiError, messageOf, personId, request } from '../api'
import { readEvents } from '../stream'
import type { ToolCall, TurnEventData } from '../types'
import { addDelta, addToolCalls, newestId, noteTurn, outgoing, ownTurns, setWriting, writing } from './conversation'
import type { Outgoing } from './conversation'
import { currentKey } from './sessions'

let count = 0

function change(localId: number, values: Partial<Outgoing>): void {
  outgoing.value = outgoing.value.map((mine) => (mine.localId === localId ? { ...mine, ...values } : mine))
}

export const discard = (localId: number) =>
  void (outgoing.value = outgoing.value.filter((mine) => mine.localId !== localId))

/**
 * Says something in a session. What breaks before the server has named a turn leaves it open whether the message
 * arrived: it is neither sent again nor called lost until the history has been read (see `confirmOutgoing`).
 */
export async function say(
  { key, isNew }: { key: string; isNew: boolean },
  text: string,
  onAccepted: () => void,
): Promise<void> {
  const localId = ++count
  const mine: Outgoing = { localId, text, after: newestId(), turnId: null, state: 'sending', problem: null }
  outgoing.value = [...outgoing.value, mine]
  let turnId: string | null = null
  let isOver = false
  // Whoever goes to another conversation and comes back reads on from the stream, and not from here as well.
  const isShown = () => currentKey.value === key && (turnId === null || ownTurns.has(turnId))
  try {
    const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
    // All conversations that someone opens here are theirs: tasks and reminders belong to the person, not to the page.
    const whose = isNew ? { channel: 'web', launcher_id: personId() } : {}
    const body = { message: text, session_key: key, timezone, ...whose }
    const answer = await request('/api/ai/chat', { body, accept: 'text/event-stream' })
    await readEvents(answer, ({ name, data }) => {
      if (name === 'turn') {
        const turn = data as TurnEventData
        if (turnId === null) onAccepted()
        if (!isShown()) return void (turnId = turn.turn_id)
        if (turnId === null) ownTurns.add(turn.turn_id)
        turnId = turn.turn_id
        change(localId, { turnId, state: 'accepted' })
        isOver = turn.state === 'ended'
        noteTurn(key, turn)
      } else if (name === 'error') {
        const failure = data as { code: number; message: string }
        throw new ApiError(failure.code, 'refused', failure.message)
      } else if (turnId !== null && isShown()) take(name, data, turnId)
    })
    if (turnId === null) change(localId, { state: 'unconfirmed' })
  } catch (error) {
    const known = error instanceof ApiError && error.status >= 400
    if (known) change(localId, { state: 'failed', problem: messageOf(error) })
    else if (turnId === null) change(localId, { state: 'unconfirmed' })
  }
  if (turnId !== null && isShown()) letGo(turnId, isOver)
}

function take(name: string, data: unknown, turnId: string): void {
  if (name === 'delta') addDelta({ turn_id: turnId, text: (data as { text: string }).text })
  if (name === 'tool_call') addToolCalls([{ ...(data as Omit<ToolCall, 'turn_id'>), turn_id: turnId }])
}

/** If the connection broke in the middle, the text has a hole: from here on only what is certain is shown. */
function letGo(turnId: string, isOver: boolean): void {
  ownTurns.delete(turnId)
  if (!isOver && writing.value.has(turnId)) setWriting(turnId, { text: '', whole: false })
}

/** After a reconnect the history says whether what was being sent is there; the rest can be sent again. */
export function confirmOutgoing(): void {
  for (const { localId, state } of outgoing.value) {
    if (state === 'unconfirmed') change(localId, { state: 'failed' })
  }
}
