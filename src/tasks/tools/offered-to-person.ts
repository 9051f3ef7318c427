import type { Tool } from '../../contracts/tool'

/** Tasks are a person's own; a group has none. An automation of the person may read and write them too. */
export const OFFERED_TO_PERSON: Pick<Tool, 'isOffered' | 'whyNot'> = {
  isOffered: (session) => session.launcherType === 'person',
  whyNot: () => ({
    code: 'not_private',
    hint: 'Tasks belong to a person: they work in private chats only.',
  }),
}
