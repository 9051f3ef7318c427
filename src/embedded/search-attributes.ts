/** What operators can search workflows by; the dev server registers them at its start. */
export const SEARCH_ATTRIBUTES = {
  PunctualKind: 'Keyword',
  PunctualBot: 'Keyword',
  PunctualSession: 'Keyword',
  PunctualDueAt: 'Datetime',
} as const
