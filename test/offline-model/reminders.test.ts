import { startOfflineModel } from '../../src/offline-model'
import type { OfflineModel } from '../../src/offline-model'
import { createOfflineChat } from './fixture'

let offline: OfflineModel
beforeAll(async () => {
  offline = await startOfflineModel()
})
afterAll(() => offline.close())

const openChat = () => createOfflineChat(offline.baseUrl)
/** Three reminders, soonest first: water, meeting, rent. */
function openChatWithThree() {
  const chat = openChat()
  chat.add('water', '2026-11-17T02:00:00Z', '提醒：喝水')
  chat.add('meeting', '2026-11-17T07:00:00Z', '提醒：开会')
  chat.add('rent', '2026-11-20T01:00:00Z', 'Reminder: pay rent')
  return chat
}

describe('setting a reminder', () => {
  it.each([
    ['5秒后提醒我喝水', '2026-11-17 09:30:05', '喝水'],
    ['明天早上9点提醒我开会', '2026-11-18 09:00:00', '开会'],
    ['提醒我明早九点开会', '2026-11-18 09:00:00', '开会'],
    ['半小时后叫我起床', '2026-11-17 10:00:00', '起床'],
    ['半個鐘頭後叫我起床', '2026-11-17 10:00:00', '起床'],
    ['5秒後提醒我喝水', '2026-11-17 09:30:05', '喝水'],
    ['明天早上9點提醒我開會', '2026-11-18 09:00:00', '開會'],
    ['提醒我喝水，5秒后', '2026-11-17 09:30:05', '喝水'],
    ['你好，请在下午3点半提醒我给客户打电话', '2026-11-17 15:30:00', '给客户打电话'],
    ['麻烦你20分钟后提醒我一下，该吃药了，谢谢', '2026-11-17 09:50:00', '该吃药了'],
    ['你能不能十秒钟以后提醒我站起来走走？', '2026-11-17 09:30:10', '站起来走走'],
    ['一个半小时后提醒我关火', '2026-11-17 11:00:00', '关火'],
    ['下周一上午10点提醒我交周报', '2026-11-23 10:00:00', '交周报'],
    ['明天提醒我9点开会', '2026-11-18 09:00:00', '开会'],
    ['5分钟后提醒我9点开会', '2026-11-17 09:35:00', '9点开会'],
    ['提醒我明天买3号电池', '2026-11-18 09:00:00', '买3号电池'],
    ['提醒我和老王明天3点开会', '2026-11-18 15:00:00', '和老王开会'],
    ['5分钟后请提醒我请假', '2026-11-17 09:35:00', '请假'],
    ['10分钟后告诉我关火', '2026-11-17 09:40:00', '关火'],
    ['明天9点提醒我取消订阅', '2026-11-18 09:00:00', '取消订阅'],
    ['别忘了明早7点提醒我遛狗', '2026-11-18 07:00:00', '遛狗'],
    ['设一个明天早上9点的提醒，开会', '2026-11-18 09:00:00', '开会'],
    ['添加提醒：明天下午三点交报告', '2026-11-18 15:00:00', '交报告'],
    ['帮我定个5分钟后的闹钟', '2026-11-17 09:35:00', '时间到了'],
    ['2026-12-01 09:00提醒我续费', '2026-12-01 09:00:00', '续费'],
    ['remind me in 10 seconds to stretch', '2026-11-17 09:30:10', 'stretch'],
    ['remind me to call mum tomorrow at 9am', '2026-11-18 09:00:00', 'call mum'],
    ['at 5pm remind me to leave', '2026-11-17 17:00:00', 'leave'],
    ['In 5 minutes, please remind me to check the oven.', '2026-11-17 09:35:00', 'check the oven'],
    ['remind me tomorrow to call mum at 9am', '2026-11-18 09:00:00', 'call mum'],
    ["don't forget to remind me at 5pm that the shop closes", '2026-11-17 17:00:00', 'the shop closes'],
    ['Could you remind me next Monday at 10:00 to send the report?', '2026-11-23 10:00:00', 'send the report'],
    ['remind me in an hour and a half to turn off the heating', '2026-11-17 11:00:00', 'turn off the heating'],
    ['remind me in twenty-five minutes to stand up', '2026-11-17 09:55:00', 'stand up'],
    ['remind me to cancel my subscription tomorrow at noon', '2026-11-18 12:00:00', 'cancel my subscription'],
    ['set a reminder for 5pm to feed the cat', '2026-11-17 17:00:00', 'feed the cat'],
    ['wake me up in 10 minutes', '2026-11-17 09:40:00', 'it is time'],
    ['set a 10 minute timer', '2026-11-17 09:40:00', 'it is time'],
    ['tell me in 5 minutes to go', '2026-11-17 09:35:00', 'go'],
  ])('%s', async (text, sendAt, what) => {
    const chat = openChat()
    const { content, toolCalls } = await chat.says(text)
    expect(chat.pending()).toEqual([[sendAt, expect.stringMatching(new RegExp(`^(提醒：|Reminder: )${what}$`))]])
    expect(toolCalls).toHaveLength(1)
    expect(content).toContain(sendAt.replace(/:00$/, ''))
    expect(content).toContain('Asia/Shanghai')
    expect(content).toMatch(new RegExp(`(提醒你：|remind you: )${what}`))
  })

  it.each([
    ['等太阳下山的时候提醒我收衣服', /^提醒没有设好：没能看懂这个时间/],
    ['昨天9点提醒我开会', /^提醒没有设好：/],
    ['remind me to call mum at half past never', /^The reminder was not set: This is not a time I can place/],
  ])('says what is wrong with the time of "%s"', async (text, expected) => {
    const chat = openChat()
    expect((await chat.says(text)).content).toMatch(expected)
    expect(chat.pending()).toEqual([])
  })

  it.each([
    ['提醒我喝水', '10分钟后', '提醒：喝水', '2026-11-17 09:40:00'],
    ['remind me to stretch', 'in 10 minutes', 'Reminder: stretch', '2026-11-17 09:40:00'],
    ['等太阳下山的时候提醒我收衣服', '那就下午6点吧', '提醒：收衣服', '2026-11-17 18:00:00'],
  ])('asks for the time of "%s" and takes "%s" as the answer', async (wish, time, text, sendAt) => {
    const chat = openChat()
    const asked = await chat.says(wish)
    expect(asked.content).toMatch(/什么时候提醒你|When should I remind you|没有设好/)
    await chat.says(time)
    expect(chat.pending()).toEqual([[sendAt, text]])
  })

  it('says so where there are no reminders', async () => {
    const chat = createOfflineChat(offline.baseUrl, { withTools: false })
    expect((await chat.says('5秒后提醒我喝水')).content).toMatch(/没有提醒功能/)
    expect((await chat.says('cancel my reminder')).content).toMatch(/no reminder tool/)
  })
})

describe('listing reminders', () => {
  it.each(['我有哪些提醒?', '看看我的提醒', '還有什麼提醒嗎', '什么时候提醒我'])('%s', async (text) => {
    const { content } = await openChatWithThree().says(text)
    expect(content).toMatch(
      /你有 3 条等待中的提醒：\n1\. 2026-11-17 10:00（30 分钟后）喝水\n2\. .*开会\n3\. .*pay rent/,
    )
  })

  it.each(['what reminders do I have', 'show my reminders', 'list all reminders'])('%s', async (text) => {
    const { content } = await openChatWithThree().says(text)
    expect(content).toMatch(/You have 3 reminders waiting:\n1\. 2026-11-17 10:00 \(in 30 min\) 喝水/)
  })

  it('says that there are none', async () => {
    expect((await openChat().says('我有哪些提醒？')).content).toBe('现在没有等待中的提醒。')
    expect((await openChat().says('do I have any reminders?')).content).toBe('You have no reminders waiting.')
  })
})

describe('cancelling reminders', () => {
  it.each([
    ['取消所有提醒', []],
    ['把提醒全部删掉', []],
    ['cancel all my reminders', []],
    ['cancel my reminders', []],
    ['取消第2个提醒', ['water', 'rent']],
    ['刪除第二條提醒', ['water', 'rent']],
    ['cancel reminder 2', ['water', 'rent']],
    ['cancel the second reminder', ['water', 'rent']],
    ['delete the last reminder', ['water', 'meeting']],
    ['取消最后一个提醒', ['water', 'meeting']],
    ['取消喝水的提醒', ['meeting', 'rent']],
    ['把开会的提醒取消了吧', ['water', 'rent']],
    ['不用提醒我喝水了', ['meeting', 'rent']],
    ['cancel the reminder about rent', ['water', 'meeting']],
    ["don't remind me to pay rent", ['water', 'meeting']],
  ])('%s', async (text, left) => {
    const chat = openChatWithThree()
    const { content } = await chat.says(text)
    expect(chat.rows.filter(({ status }) => status === 'pending').map(({ id }) => id)).toEqual(left)
    expect(content).toMatch(left.length === 0 ? /已取消 3 条|Cancelled 3/ : /已取消 1 条|Cancelled 1 reminder/)
  })

  it.each(['取消提醒', '不用提醒了', 'cancel my reminder'])('%s cancels the only one', async (text) => {
    const chat = openChat()
    chat.add('water', '2026-11-17T02:00:00Z', '提醒：喝水')
    expect((await chat.says(text)).content).toMatch(/喝水/)
    expect(chat.pending()).toEqual([])
  })

  it.each([
    ['取消提醒', '第2个', /要取消哪一条/],
    ['取消提醒', '开会', /要取消哪一条/],
    ['cancel my reminder', 'the second one', /Which one should I cancel/],
    ['cancel my reminder', '2', /Which one should I cancel/],
  ])('%s asks which one, and %s answers', async (first, second, question) => {
    const chat = openChatWithThree()
    expect((await chat.says(first)).content).toMatch(question)
    expect(chat.pending()).toHaveLength(3)
    await chat.says(second)
    expect(chat.rows.filter(({ status }) => status === 'cancelled').map(({ id }) => id)).toEqual(['meeting'])
  })

  it('cancels the one just set when it is pointed at', async () => {
    const chat = openChatWithThree()
    await chat.says('明天早上9点提醒我浇花')
    await chat.says('取消刚才那个提醒')
    expect(chat.pending()).toHaveLength(3)
    await chat.says('remind me in 5 minutes to call Bob')
    await chat.says('cancel it')
    expect(chat.pending().map(([, text]) => text)).toEqual(['提醒：喝水', '提醒：开会', 'Reminder: pay rent'])
  })

  it('says that there is none, or no such one', async () => {
    expect((await openChat().says('取消提醒')).content).toBe('没有办成：现在没有等待中的提醒。')
    expect((await openChatWithThree().says('取消第9个提醒')).content).toMatch(/没有找到这条提醒.*你有 3 条/s)
    expect((await openChatWithThree().says('cancel the reminder about yoga')).content).toMatch(/no such reminder/)
  })
})

describe('moving a reminder', () => {
  it.each([
    ['改到10点', '2026-11-18 10:00:00'],
    ['改到10點', '2026-11-18 10:00:00'],
    ['推迟到11点半', '2026-11-18 11:30:00'],
    ['改成后天下午3点', '2026-11-19 15:00:00'],
    ['把提醒改到20分钟后吧', '2026-11-17 09:50:00'],
    ['move it to 10am', '2026-11-18 10:00:00'],
    ['change my reminder to 10:30', '2026-11-18 10:30:00'],
    ['make it tomorrow at noon', '2026-11-18 12:00:00'],
    ['reschedule it for Friday at 9am', '2026-11-20 09:00:00'],
  ])('%s replaces the only one', async (text, sendAt) => {
    const chat = openChat()
    await chat.says('明天早上9点提醒我开会')
    const { content } = await chat.says(text)
    expect(chat.pending()).toEqual([[sendAt, '提醒：开会']])
    expect(content).toContain(sendAt.slice(0, 16))
    expect(content).toContain('开会')
  })

  it.each([
    ['把第2个提醒改到4点', 'meeting', ['2026-11-17 16:00:00', '提醒：开会']],
    ['把喝水的提醒改到11点', 'water', ['2026-11-17 11:00:00', '提醒：喝水']],
    ['move reminder 3 to 10am', 'rent', ['2026-11-20 10:00:00', 'Reminder: pay rent']],
    ['move the rent reminder to Saturday at 9am', 'rent', ['2026-11-21 09:00:00', 'Reminder: pay rent']],
  ])('%s moves that one and leaves the others', async (text, old, moved) => {
    const chat = openChatWithThree()
    const { content } = await chat.says(text)
    expect(chat.rows.find(({ id }) => id === old)?.status).toBe('cancelled')
    expect(chat.pending()).toHaveLength(3)
    expect(chat.pending()).toContainEqual(moved)
    expect(content).toContain(moved[0]?.slice(0, 16))
  })

  it('moves the one set last in the conversation among several', async () => {
    const chat = openChatWithThree()
    await chat.says('明天早上9点提醒我浇花')
    await chat.says('改到10点')
    expect(chat.pending()).toHaveLength(4)
    expect(chat.pending()).toContainEqual(['2026-11-18 10:00:00', '提醒：浇花'])
  })

  it('asks which of several when none was talked about', async () => {
    const chat = openChatWithThree()
    expect((await chat.says('改到10点')).content).toMatch(/要改哪一条/)
    expect(chat.pending()).toHaveLength(3)
  })

  it('keeps the old one when the new time cannot be used', async () => {
    const chat = openChat()
    await chat.says('明天早上9点提醒我开会')
    expect((await chat.says('把提醒改到猴年马月')).content).toMatch(/^提醒没有设好：/)
    expect(chat.pending()).toEqual([['2026-11-18 09:00:00', '提醒：开会']])
  })

  it('asks for a time when only a length was said, and says when there is nothing to move', async () => {
    expect((await openChatWithThree().says('把提醒推迟10分钟')).content).toMatch(/改到什么时候/)
    expect((await openChat().says('改到10点')).content).toBe('现在没有等待中的提醒。')
  })
})
