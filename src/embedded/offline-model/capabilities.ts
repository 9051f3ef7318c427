import type { Language } from '../../contracts/words'

const EXAMPLES: Record<Language, string[]> = {
  zh: [
    '“5秒后提醒我喝水”“明天早上9点提醒我开会”：到点发消息给你',
    '“我有哪些提醒？”：列出还没发的提醒',
    '“改到10点”：改最近的那条提醒',
    '“取消提醒”“取消第2个提醒”“取消所有提醒”',
    '“每天早上8点提醒我喝水”“每周一9点检查仓库”“列出自动任务”“删除第2个”：重复的事',
    '“画一只猫，10秒后告诉我”“搜索今天的新闻”“查一下 owner/repo”“做一个计算器应用”',
    '“先搜索月球，再画一张图”：几步连着做',
    '“今天下午去买东西”“明天有哪些任务？”“完成买东西的任务”“删除买东西的任务”',
    '“现在几点？”',
  ],
  en: [
    '"remind me in 10 seconds to stretch", "remind me to call mum tomorrow at 9am": a message when it is due',
    '"what reminders do I have?": what is still to come',
    '"move it to 10am": changes the last one',
    '"cancel my reminder", "cancel reminder 2", "cancel all reminders"',
    '"every weekday at 9am tell me the weather", "list automations", "delete the second one": things that repeat',
    '"draw a cat and tell me in 10 seconds", "search the news", "look up owner/repo", "make a calculator app"',
    '"search the moon and then draw it": one step after the other',
    '"add a task to buy milk tomorrow afternoon", "what are my tasks?", "complete the task buy milk"',
    '"what time is it?"',
  ],
}

/** What the offline model can do, in the words a person could use. It grows with the intents. */
export const CAPABILITIES: Record<Language, string> = {
  zh: EXAMPLES.zh.map((example) => `- ${example}`).join('\n'),
  en: EXAMPLES.en.map((example) => `- ${example}`).join('\n'),
}
