import { isHostMessage } from '../ipc'
import type { ChildMessage, ChildStart, HostMessage } from '../ipc'

/** The child's end of the line to the host. */
export interface ChildLine {
  /** Ends when the message has been handed to the system, so that a sender in a loop does not fill the memory. */
  send(message: ChildMessage): Promise<void>
  onStart(run: (start: ChildStart) => Promise<void>): void
  onMessage(listen: (message: HostMessage) => void): void
}

export function openChildLine(): ChildLine {
  const post = process.send?.bind(process)
  if (post === undefined) throw new Error('this file is started by the plugin host')
  // The line is ours: a plugin that writes to it would speak in our name.
  process.send = undefined
  const listeners: ((message: HostMessage) => void)[] = []
  process.on('message', (message) => {
    if (isHostMessage(message)) listeners.forEach((listen) => listen(message))
  })
  return {
    send: (message) =>
      new Promise((resolve) => {
        // A line that broke means that the host is gone, and with it this process soon.
        post(message, undefined, undefined, () => resolve())
      }),
    onMessage: (listen) => void listeners.push(listen),
    onStart: (run) =>
      void listeners.push((message) => {
        if (message.type === 'start') void run(message.start)
      }),
  }
}
