import { isTrue } from '../../src/planner/claims/claim'
import type { Deeds } from '../../src/planner/claims/claim'
import { findClaims } from '../../src/planner/claims/find-claims'
import { firstSentence, splitSentences } from '../../src/planner/claims/sentences'

const NOTHING: Deeds = { effects: [], unknown: false, hasRead: false }
const isFalse = (text: string, deeds: Deeds = NOTHING) => findClaims(text).some((claim) => !isTrue(claim, deeds))

describe('a claim without a deed', () => {
  test.each([
    '已创建任务“买东西”。',
    '好的，已为您创建任务：明天下午4点到5点去买东西。',
    '任务已经创建成功！',
    '我帮你添加了一个待办。',
    '已添加。',
    '好的，已经为您创建好了。',
    '已将“买东西”改到明天下午。',
    '会议已经推迟到周五了。',
    '我把任务改到了下午5点。',
    '已更新任务的优先级。',
    '任务修改成功。',
    '已删除“买东西”。',
    '已帮您取消提醒，还需要别的吗？',
    '我已经把这个任务删掉了。',
    '任务“买东西”已标记为完成。',
    '任务“买东西”已完成，辛苦了！',
    '提醒已设置，到时见。',
    '好的，我会在明天早上9点提醒你开会。',
    '10分钟后我会准时通知您。',
    '搞定了！',
    'I have created a task for tomorrow.',
    "I've added it to your list.",
    'Your task has been created.',
    'Task created.',
    'The reminder is now set for 9am.',
    "I've moved the meeting to Friday.",
    'I just deleted that task, anything else?',
    'I have successfully cancelled your reminder.',
    "I've marked it as done.",
    'OK, I will remind you tomorrow at 9am.',
    'Done!',
  ])('is found in %s', (text) => expect(isFalse(text)).toBe(true))
})

describe('no claim', () => {
  test.each([
    '已为您查询到3个任务。',
    '我可以帮你创建任务。',
    '要我帮你创建一个任务吗？',
    '请问结束时间是几点？',
    '确定要删除“买东西”吗？请回复“确认删除”。',
    '确认后我会删除它。',
    '没有创建任务，因为时间冲突。',
    '任务没有创建成功。',
    '还没有删除，请先确认。',
    '无法删除这个任务。',
    '这个时间与“已创建的任务”冲突，换个时间好吗？',
    '你想把“删除了的文件”加进来吗？',
    '如果你愿意，我可以把它改到明天。',
    '这个任务之前已经创建过了。',
    '抱歉，我在这里只处理任务：创建、查询、修改、删除和完成。',
    '请告诉我要添加到哪一天。',
    '我为你写了一首诗：春眠不觉晓。',
    '我在文章里添加了一段结尾。',
    '什么时候提醒你？比如“10分钟后”。',
    '如果需要，我会在9点提醒你。',
    '不客气，到时候我会提醒你。',
    '好的。',
    '今天是星期四，会议在下午。',
    'You have 3 tasks today.',
    'I can create a task for you.',
    'Shall I delete it?',
    'I could not delete the task.',
    'Nothing was changed.',
    'It was not created because it overlaps with another task.',
    'Once you confirm, it will be deleted.',
    'The task was created yesterday.',
    'I have written a poem for you.',
    "I've added a second verse.",
    'When should I remind you?',
    'If you like, I will remind you at 9am.',
    'You are welcome!',
  ])('is in %s', (text) => expect(findClaims(text)).toEqual([]))
})

describe('a claim is true', () => {
  const did = (does: 'create' | 'change' | 'delete' | 'complete', to: 'task' | 'reminder'): Deeds => ({
    ...NOTHING,
    effects: [{ does, to }],
  })
  test.each<[string, Deeds, boolean]>([
    ['已为您创建任务“买东西”。', did('create', 'task'), true],
    ['已为您创建任务“买东西”。', did('create', 'reminder'), false],
    ['已为您创建任务，并设置了提醒。', did('create', 'task'), false],
    ['已删除任务。', did('create', 'task'), false],
    ['已删除任务。', did('delete', 'task'), true],
    ['已把提醒改到10点。', did('create', 'reminder'), true],
    ['任务已标记为完成。', did('change', 'task'), false],
    ['任务已标记为完成。', did('complete', 'task'), true],
    ['搞定了！', did('change', 'task'), true],
    ['好的，我会在明天9点提醒你。', did('create', 'reminder'), true],
    ['好的，我会在明天9点提醒你。', did('create', 'task'), false],
    ['I have deleted the task.', did('create', 'task'), false],
    ['I have deleted the task.', did('delete', 'task'), true],
    ['已创建应用任务。', { ...NOTHING, unknown: true }, true],
  ])('%s after %j: %s', (text, deeds, expected) => expect(!isFalse(text, deeds)).toBe(expected))

  it('when it quotes what a tool has read, unless it is said as an own deed', () => {
    const read = { ...NOTHING, hasRead: true }
    expect(isFalse('您今天已安排了2个任务：\n1. 买菜（已完成）\n2. 会议已推迟到周五了', read)).toBe(false)
    expect(isFalse('The task was completed.', read)).toBe(false)
    expect(isFalse('我已为您删除任务。', read)).toBe(true)
    expect(isFalse('I have deleted the task.', read)).toBe(true)
  })
})

describe('sentences', () => {
  it('end where a person would end them', () => {
    expect(splitSentences('好的。已创建“买菜。做饭”！9.30 is fine. Yes')).toEqual([
      '好的。',
      '已创建“买菜。做饭”！',
      '9.30 is fine.',
      ' Yes',
    ])
    expect(firstSentence('还没完')).toBeUndefined()
    expect(firstSentence('It is 9.')).toBeUndefined()
  })

  it('are found quickly in anything', () => {
    const began = process.cpuUsage()
    for (const text of ['已'.repeat(20_000), '“'.repeat(20_000), '已创建'.repeat(7_000), 'I have '.repeat(3_000)])
      findClaims(text)
    expect(process.cpuUsage(began).user).toBeLessThan(2_000_000)
  })
})
