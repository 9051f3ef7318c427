import { createChildContext } from './child-context'
import { openChildLine } from './child-line'
import { encodeResult } from './encode-result'
import { loadHandler } from './load-handler'
import { messageOf } from '../../../errors'
import { watchParent } from './watch-parent'

/** The entry of the process that runs one call of one plugin. The host kills it when the call is over. */
const line = openChildLine()
watchParent()

const fail = (error: unknown) => line.send({ type: 'error', message: messageOf(error) })
process.on('uncaughtException', (error) => void fail(new Error(`unhandled error: ${messageOf(error)}`)))
process.on('unhandledRejection', (error) => void fail(new Error(`unhandled rejection: ${messageOf(error)}`)))

line.onStart(async (start) => {
  try {
    const context = createChildContext(start, line)
    const handler = await loadHandler(start.file)
    const data = await handler(start.args, context)
    await line.send({ type: 'result', json: await encodeResult(data, context) })
  } catch (error) {
    await fail(error)
  }
})
void line.send({ type: 'ready' })
