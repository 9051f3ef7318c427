/** What a person wants to hear in a conversation, and when. */
export interface Notifications {
  /** Whether programs may push. */
  pushes: boolean
  /** Local times `HH:mm` between which messages that can wait do so; null when there are none. */
  quietHours: QuietHours | null
}

export interface QuietHours {
  start: string
  end: string
}

export interface NotificationChange {
  pushes?: boolean
  quietHours?: QuietHours | null
}

export const CLOCK_TIME = /^([01]\d|2[0-3]):[0-5]\d$/
