import type { Tool } from './tool'

/** Private messages are promised where they will arrive, and by a person: not in groups, not by an automation. */
export const OFFERED_IN_PRIVATE: Pick<Tool, 'isOffered' | 'whyNot'> = {
  isOffered: (session, origin) => session.launcherType === 'person' && origin === 'user',
  whyNot: (session) =>
    session.launcherType === 'person'
      ? INSIDE_AUTOMATION
      : { code: 'not_private', hint: 'This works in private chats only, not in groups.' },
}

const INSIDE_AUTOMATION = {
  code: 'inside_automation',
  hint: 'This turn was started by an automation; it cannot set up or change what is to come.',
}

/** An automation that makes work for later would never end. */
export const OFFERED_TO_USER: Pick<Tool, 'isOffered' | 'whyNot'> = {
  isOffered: (_session, origin) => origin === 'user',
  whyNot: () => INSIDE_AUTOMATION,
}
