import type { JSX } from 'preact'

const PATHS = {
  plus: 'M12 5v14M5 12h14',
  pencil: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  send: 'M5 12h13M12 5l7 7-7 7',
  external: 'M10 6H6v12h12v-4M14 5h5v5M19 5l-8 8',
  tick: 'M5 13l4.5 4.5L19 7',
  cross: 'M6 6l12 12M18 6L6 18',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  down: 'M5 9l7 7 7-7',
  chats: 'M4 6h16M4 12h16M4 18h10',
  talk: 'M4 5h16v11H9l-5 4z',
  promises: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 7v5.5l3.5 2.5',
  tasks: 'M4 7l2 2 3-4M4 16l2 2 3-4M13 7h7M13 16h7',
  timeline: 'M4 19V5M4 19h16M8 15l4-5 3 3 4-6',
  gear: 'M9 4L7 9l5 3-2 8 8-10-5-2 2-4z',
  repeat: 'M5 11V9a3 3 0 0 1 3-3h11M16 3l3 3-3 3M19 13v2a3 3 0 0 1-3 3H5M8 21l-3-3 3-3',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.5',
  leave: 'M14 5h5v14h-5M10 8l-4 4 4 4M6 12h9',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  light:
    'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M19 5l-1.5 1.5M6.5 17.5L5 19',
  dark: 'M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z',
} as const
export type IconName = keyof typeof PATHS

export const Icon = ({ name }: { name: IconName }): JSX.Element => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
)

/** The sign of the house: a clock whose hands say nine. */
export const Mark = (): JSX.Element => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <circle cx="16" cy="16" r="13" />
    <path d="M16 8v8.5l5.5 4" />
  </svg>
)
