import type { Language } from './words'

type Text = Record<Language, (name: string) => string>

/** What the person reads when a run ends without an answer; the cause stands in the run's record. */
const FAILED: Text = {
  zh: (name) => `自动任务「${name}」这次没有完成，原因已记录。`,
  en: (name) => `The automation "${name}" could not be completed this time; the cause is recorded.`,
}
const EMPTY: Text = {
  zh: (name) => `自动任务「${name}」已运行，这次没有内容。`,
  en: (name) => `The automation "${name}" ran and had nothing to say this time.`,
}
const CANCELLED: Text = {
  zh: (name) => `自动任务「${name}」这次被中止了。`,
  en: (name) => `The automation "${name}" was stopped this time.`,
}
const TRIGGERED: Text = {
  zh: (name) => `自动任务已触发：${name}`,
  en: (name) => `Scheduled automation triggered: ${name}`,
}

export const describeFailedRun = (name: string, language: Language) => FAILED[language](name)
export const describeEmptyRun = (name: string, language: Language) => EMPTY[language](name)
export const describeCancelledRun = (name: string, language: Language) => CANCELLED[language](name)
export const describeTrigger = (name: string, message: string, language: Language) =>
  `${TRIGGERED[language](name)}\n\n${message}`
