import type { RunResult } from '../contracts/plugin'
import type { JsonValue, Language } from '../contracts/words'

const SHOWN_CHARACTERS = 1_500

/** Seed 1's sentence, in the person's language. */
export function plainProgress(delaySeconds: number, language: Language): string {
  return language === 'zh'
    ? `工具正在执行中，规定时间 ${delaySeconds}s 内未完成，继续等待...`
    : `The tool is still running; it did not finish within ${delaySeconds}s. Still waiting...`
}

/** A plugin says what came out in `summary`; without one its data is shown as it is. */
export function plainResult(aiName: string, result: RunResult, language: Language): string {
  const name = aiName.replace(/^[^_]*__/, '')
  if (!result.success) return plainFailure(name, result, language)
  const text = summaryOf(result.data)
  return language === 'zh' ? `「${name}」完成了：${text}` : `${name} is done: ${text}`
}

function plainFailure(name: string, { code, error }: RunResult, language: Language): string {
  const reason = error?.message ?? code
  if (code === 'TIMEOUT')
    return language === 'zh' ? `「${name}」超时了，没有完成。` : `${name} timed out and did not finish.`
  return language === 'zh' ? `「${name}」没有成功：${reason}` : `${name} did not succeed: ${reason}`
}

function summaryOf(data: JsonValue): string {
  if (typeof data === 'string') return data.slice(0, SHOWN_CHARACTERS)
  if (typeof data === 'object' && data !== null && !Array.isArray(data) && typeof data['summary'] === 'string') {
    return data['summary'].slice(0, SHOWN_CHARACTERS)
  }
  return JSON.stringify(data).slice(0, SHOWN_CHARACTERS)
}
