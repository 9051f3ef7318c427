import { DESCRIPTION_LIMIT, GROUP_ID_LIMIT, TITLE_LIMIT } from './contract'
import { refuse } from './refusals'
import type { TaskRefusal } from './refusals'

interface Texts {
  title?: string
  description?: string
  groupId?: string
}

/** Undefined when all that was said fits. */
export function refuseTexts({ title, description, groupId }: Texts): TaskRefusal | undefined {
  if (title !== undefined && !isWithin(tidy(title), 1, TITLE_LIMIT)) return refuse('bad_title')
  if (description !== undefined && !isWithin(description, 0, DESCRIPTION_LIMIT)) return refuse('bad_description')
  return groupId !== undefined && !isWithin(groupId, 0, GROUP_ID_LIMIT) ? refuse('bad_group') : undefined
}

/** A title is one line. */
export function tidy(title: string): string {
  return title.replaceAll(/\s+/g, ' ').trim()
}

export function isSameTitle(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

/** A text that says nothing is none. */
export const orNull = (text: string | undefined): string | null => (text?.trim() ? text : null)

const plain = (title: string) => tidy(title).normalize('NFKC').toLowerCase()
const isWithin = (text: string, least: number, most: number) => {
  const length = [...text].length
  return length >= least && length <= most
}
