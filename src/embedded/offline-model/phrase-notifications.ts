import type { JsonObject, Language } from '../../contracts/words'

/** How the settings stand now. */
export function phraseNotifications(result: JsonObject, language: Language): string {
  const pushes = result['pushes'] === true
  const quiet = result['quiet_hours'] as { start?: unknown; end?: unknown } | null
  const hours = quiet ? `${String(quiet.start)}–${String(quiet.end)}` : undefined
  if (language === 'zh') {
    return `好的，推送已${pushes ? '开启' : '关闭'}${hours ? `，免打扰时段是 ${hours}` : '，没有免打扰时段'}。`
  }
  return `OK: pushes are ${pushes ? 'on' : 'off'}, ${hours ? `quiet hours are ${hours}` : 'there are no quiet hours'}.`
}
