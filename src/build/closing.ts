export type OnClose = (close: () => Promise<void> | void) => void

/** Remembers what was opened, and closes it in the opposite order. */
export function createClosing(): { onClose: OnClose; close(): Promise<void> } {
  const closings: (() => Promise<void> | void)[] = []
  return {
    onClose: (close) => void closings.push(close),
    async close() {
      for (const close of closings.reverse()) await close()
    },
  }
}
