import type { Intent } from '../intent'
import { addAutomation, listAutomations, removeAutomation } from './automations'
import { cancelReminder } from './cancel-reminder'
import { doWork } from './do-work'
import { followReminder } from './follow-reminder'
import { greeting } from './greeting'
import { help } from './help'
import { listReminders } from './list-reminders'
import { manageTasks } from './manage-tasks'
import { moveReminder } from './move-reminder'
import { setNotifications } from './notifications'
import { setReminder } from './set-reminder'
import { tasksOnly } from './tasks-only'
import { thanks } from './thanks'
import { whatTime } from './what-time'
import { whoAreYou } from './who-are-you'

/** What a sentence wants done; asked first and in this order, for "你好，5秒后提醒我喝水" is no greeting. */
export const ACTING: readonly Intent[] = [
  tasksOnly,
  setNotifications,
  removeAutomation,
  listAutomations,
  addAutomation,
  doWork,
  followReminder,
  manageTasks,
  cancelReminder,
  moveReminder,
  setReminder,
  listReminders,
]

/** What is only talk. */
export const TALKING: readonly Intent[] = [whoAreYou, whatTime, help, thanks, greeting]
