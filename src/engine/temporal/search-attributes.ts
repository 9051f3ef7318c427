import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common'
import { OUTCOME_PENDING, SEARCH_ATTRIBUTES } from '../../contracts/temporal'

const KIND = defineSearchAttributeKey(SEARCH_ATTRIBUTES.kind, 'KEYWORD')
const BOT = defineSearchAttributeKey(SEARCH_ATTRIBUTES.bot, 'KEYWORD')
const SESSION = defineSearchAttributeKey(SEARCH_ATTRIBUTES.session, 'KEYWORD')
const DUE_AT = defineSearchAttributeKey(SEARCH_ATTRIBUTES.dueAt, 'DATETIME')
const OUTCOME = defineSearchAttributeKey(SEARCH_ATTRIBUTES.outcome, 'KEYWORD')

/** What an operator can search by. */
export function attributesOf(about: {
  kind: string
  botUuid: string
  sessionKey: string | null
  dueAt?: Date
  /** The workflow says at its end how it ended; until then it is pending. */
  outcome?: boolean
}): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: KIND, value: about.kind },
    { key: BOT, value: about.botUuid },
    ...(about.sessionKey === null ? [] : [{ key: SESSION, value: about.sessionKey }]),
    ...(about.dueAt ? [{ key: DUE_AT, value: about.dueAt }] : []),
    ...(about.outcome ? [{ key: OUTCOME, value: OUTCOME_PENDING }] : []),
  ])
}
