import type { Client } from '@temporalio/client'

type Asked = Parameters<Client['workflowService']['listScheduleMatchingTimes']>[0]
type Seconds = NonNullable<Asked['startTime']>['seconds']

/** What a Schedule would run in a span, by Temporal's own account. */
export async function matchingTimes(client: Client, scheduleId: string, from: Date, to: Date): Promise<string[]> {
  const seconds = (date: Date) => ({ seconds: Math.floor(date.getTime() / 1000) as unknown as Seconds })
  const { namespace } = client.options
  const asked: Asked = { namespace, scheduleId, startTime: seconds(from), endTime: seconds(to) }
  const answer = await client.workflowService.listScheduleMatchingTimes(asked)
  return (answer.startTime ?? []).map((time) => new Date(Number(time.seconds) * 1000).toISOString())
}
