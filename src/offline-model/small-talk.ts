import type { Language } from '../contracts/words'
import { say } from './conversation'
import type { Conversation, Intent, Step } from './conversation'

const GREETING =
  /^\s*(你好|您好|哈[喽啰囉罗]|嗨|在吗|在嗎|早上好|早安|上午好|下午好|晚上好|hi|hello|hey|good (morning|afternoon|evening)|greetings)([\s,，!！.。~～?？呀啊哦]|there|$)/i

const greeting: Intent = (conversation) => {
  if (!GREETING.test(conversation.text)) return undefined
  return say(conversation, {
    zh: '你好！我是 Punctual 的离线模型，按规则回答。可以对我说“5秒后提醒我喝水”或“明天早上9点提醒我开会”。',
    en: 'Hello! I am Punctual\'s offline model and answer by rules. Try "remind me in 10 seconds to stretch".',
  })
}

const THANKS =
  /^\s*(好的?[,，]?\s*)?(多?[谢謝]{1,2}(你|您|啦|了)?|感[谢謝]|thanks?( you| a lot| so much)?|thank you|thx|cheers)/i

const thanks: Intent = (conversation) => {
  if (!THANKS.test(conversation.text)) return undefined
  return say(conversation, { zh: '不客气！', en: 'You are welcome!' })
}

const WHO_ASKED =
  /你是(谁|誰|什么|什麼|哪位|哪个|哪個|人吗|人嗎|ai|机器人|機器人|gpt|chatgpt|离线|離線)|你叫(什么|什麼|啥)|(什么|什麼|哪个|哪個|啥)模型|who are you|what are you|what('?s| is) your name|(which|what) (language )?model|are you (an? )?(ai|bot|robot|human|chatgpt|gpt|model|offline)/i

const whoAreYou: Intent = (conversation) => {
  if (!WHO_ASKED.test(conversation.text)) return undefined
  return say(conversation, {
    zh: '我是 Punctual 自带的离线模型（punctual-offline）：不联网，按规则理解少量说法。设置 OPENAI_API_KEY 或 OPENAI_BASE_URL 后，会由真正的语言模型来回答。',
    en: 'I am the offline model built into Punctual (punctual-offline): no network, a few phrases understood by rules. Set OPENAI_API_KEY or OPENAI_BASE_URL and a real language model answers instead.',
  })
}

const TIME_ASKED =
  /(现在|現在|当前|目前|此刻).{0,4}(几点|幾點|时间|時間|什么时候|什麼時候)|^\s*(几点|幾點)了?|今天.{0,3}(几号|幾號|星期几|星期幾|周几|日期|礼拜几|禮拜幾)|what('?s| is) the (time|date)|what time is it|(what|which) day is (it|today)|current time|what('?s| is) today'?s date/i

/** "纽约现在几点", "what time is it in London": no clock but this one is known. */
const ELSEWHERE =
  /^(?!.*(?:请问|你知道|告诉我))[^\s,，]{2,}?(?:现在|現在|当前|目前)|\b(?:time|date|day)\b.*\b(?:in|at)\s+[a-z]/i

/** Reads the clock from the prompt: a model has no other. */
const whatTime: Intent = (conversation) => {
  if (!TIME_ASKED.test(conversation.text) || ELSEWHERE.test(conversation.text)) return undefined
  const { now, weekday, timezone } = conversation.facts
  if (now === undefined) {
    return say(conversation, { zh: '没有人告诉我现在几点。', en: 'Nobody told me what time it is.' })
  }
  return say(conversation, {
    zh: `现在是 ${[now, weekday].filter(Boolean).join(' ')}${timezone ? `（${timezone}）` : ''}。`,
    en: `It is ${[now, weekday].filter(Boolean).join(', ')}${timezone ? ` (${timezone})` : ''}.`,
  })
}

const HELP_ASKED =
  /帮助|幫助|怎么用|怎麼用|你(会|會|能|可以)(做|干|幹|帮我做)?(什么|什麼|啥|哪些)|有(什么|什麼|哪些)功能|^\s*(help|\/help|\?|？)\s*[!.?。！？]*\s*$|what can (you|i) (do|say|ask)|how (do|can) i use|what do you (do|understand)/i

const help: Intent = (conversation) => {
  if (!HELP_ASKED.test(conversation.text)) return undefined
  return say(conversation, {
    zh: `我是离线模型，能听懂这些说法：\n${CAPABILITIES.zh}`,
    en: `I am the offline model. I understand things like:\n${CAPABILITIES.en}`,
  })
}

const EXAMPLES: Record<Language, string[]> = {
  zh: [
    '“5秒后提醒我喝水”“明天早上9点提醒我开会”：到点发消息给你',
    '“我有哪些提醒？”：列出还没发的提醒',
    '“改到10点”“把第2个提醒改到9点”“把喝水的提醒改成喝茶”：改时间或内容',
    '提醒来了之后：“10分钟后再提醒我”“稍后”“好了”；“明早8点提醒我吃药，直到我吃完”：一直提醒到做完',
    '“取消提醒”“取消第2个提醒”“取消所有提醒”',
    '“每天早上8点提醒我喝水”“每周一9点检查仓库”“列出自动任务”“删除第2个”：重复的事',
    '“画一只猫，10秒后告诉我”“搜索今天的新闻”“查一下 owner/repo”“做一个计算器应用”',
    '“先搜索月球，再画一张图”：几步连着做；“取消画图”：停下来',
    '“今天下午去买东西”“明天有哪些任务？”“完成买东西的任务”“删除买东西的任务”',
    '“我在伦敦”“我的时区是 UTC+9”：你在哪里',
    '“现在几点？”',
  ],
  en: [
    '"remind me in 10 seconds to stretch", "remind me to call mum tomorrow at 9am": a message when it is due',
    '"what reminders do I have?": what is still to come',
    '"move it to 10am", "move reminder 2 to 9am", "change reminder 1 to say drink tea"',
    'after a reminder: "remind me again in 10 minutes", "later", "done"; "... until it is done" repeats it',
    '"cancel my reminder", "cancel reminder 2", "cancel all reminders"',
    '"every weekday at 9am tell me the weather", "list automations", "delete the second one": things that repeat',
    '"draw a cat and tell me in 10 seconds", "search the news", "look up owner/repo", "make a calculator app"',
    '"search the moon and then draw it": one step after the other; "stop the drawing"',
    '"add a task to buy milk tomorrow afternoon", "what are my tasks?", "complete the task buy milk"',
    '"I am in London", "my time zone is UTC+9": where you are',
    '"what time is it?"',
  ],
}

/** What the offline model can do, in the words a person could use. It grows with the intents. */
const CAPABILITIES: Record<Language, string> = {
  zh: EXAMPLES.zh.map((example) => `- ${example}`).join('\n'),
  en: EXAMPLES.en.map((example) => `- ${example}`).join('\n'),
}

/** What is only talk, in the order in which it is asked. */
export const SMALL_TALK: readonly Intent[] = [whoAreYou, whatTime, help, thanks, greeting]

const MAX_ECHO = 200

/** Says what was heard and that it was not understood: an honest answer is better than a clever one. */
export function sayNotUnderstood(conversation: Conversation): Step {
  const heard = [...conversation.text].slice(0, MAX_ECHO).join('')
  return say(conversation, {
    zh: `我是离线模型，还不懂这句话：“${heard}”。可以说“5秒后提醒我喝水”，或问我“你会做什么？”。`,
    en: `I am the offline model and did not understand "${heard}". Try "remind me in 10 seconds to stretch", or ask "what can you do?".`,
  })
}
