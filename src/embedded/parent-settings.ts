/** Set for a child that is to wait for its settings. */
export const WAITS_FOR_SETTINGS = 'PUNCTUAL_WAITS_FOR_SETTINGS'

export interface SettingsMessage {
  type: 'settings'
  settings: Record<string, string>
}

/**
 * `npm start` starts its children at once, so that they load their code while PostgreSQL and Temporal start, and tells
 * them afterwards where those are. A process that was started by anyone else has its settings and goes on.
 */
export async function takeSettingsFromParent(): Promise<void> {
  if (process.send === undefined || process.env[WAITS_FOR_SETTINGS] === undefined) return
  delete process.env[WAITS_FOR_SETTINGS]
  const message = await new Promise<unknown>((resolve) => process.once('message', resolve))
  if (!isSettings(message)) throw new Error('the parent sent something else than settings')
  Object.assign(process.env, message.settings)
}

function isSettings(message: unknown): message is SettingsMessage {
  return typeof message === 'object' && message !== null && 'settings' in message
}
