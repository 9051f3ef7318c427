import type { Intent } from '../intent'
import { greeting } from './greeting'
import { help } from './help'
import { thanks } from './thanks'
import { whatTime } from './what-time'
import { whoAreYou } from './who-are-you'

/** Asked in this order: what a sentence wants done comes before how it greets. */
export const INTENTS: readonly Intent[] = [whoAreYou, whatTime, help, thanks, greeting]
