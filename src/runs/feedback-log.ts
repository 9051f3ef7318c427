import { DateTime } from 'luxon'
import type { Logger } from 'pino'
import { delayOf } from './contract'
import type { Run, RunStep } from './contract'

/** The lines that tell an operator how delayed feedback goes, each written when it happens. */
const fieldsOf = (run: Pick<Run, 'id'>, step: RunStep) => ({
  label: 'SCHEDULE',
  run_id: run.id,
  stepIndex: step.stepIndex,
  aiName: step.aiName,
})

export function logEnabled(logger: Logger, run: Run, step: RunStep): void {
  const schedule = step.args?.['schedule']
  const scheduleText = typeof schedule === 'string' ? schedule : JSON.stringify(schedule ?? null)
  const targetISO = step.feedbackAt && DateTime.fromJSDate(step.feedbackAt, { zone: run.timezone }).toISO()
  logger.info({ ...fieldsOf(run, step), scheduleText, delayMs: delayOf(step), targetISO }, 'Schedule 延迟反馈启用')
}

export function logProgress(logger: Logger, run: Pick<Run, 'id'>, step: RunStep): void {
  logger.info({ ...fieldsOf(run, step), delayMs: delayOf(step) }, 'Schedule 延迟反馈: 发送中间状态')
}

/** The plugin has ended, one way or another. */
export function logFinished(logger: Logger, run: Run, step: RunStep): void {
  const { feedbackAt, startedAt, finishedAt, result } = step
  if (!feedbackAt || !finishedAt || !result) return
  const actualMs = startedAt ? finishedAt.getTime() - startedAt.getTime() : 0
  const fields = { ...fieldsOf(run, step), code: result.code }
  if (result.code === 'TIMEOUT') {
    logger.info({ ...fields, totalMs: actualMs }, 'Schedule 延迟反馈: 工具超时，立即反馈')
  } else if (finishedAt <= feedbackAt) {
    logger.info({ ...fields, delayMs: delayOf(step), actualMs }, 'Schedule 延迟反馈: 工具已提前完成，延迟后反馈')
  } else {
    logger.info({ ...fields, totalMs: actualMs }, 'Schedule 延迟反馈: 工具延迟完成')
  }
}
