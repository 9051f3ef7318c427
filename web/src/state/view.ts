import { signal } from '@preact/signals'

export const VIEWS = ['chats', 'talk', 'promises', 'tasks', 'timeline'] as const
export type View = (typeof VIEWS)[number]
export type SideView = Exclude<View, 'chats' | 'talk'>

/** What a narrow screen shows; on a wide one the chats, the talk and one of the sides are there together. */
export const view = signal<View>('talk')
export const side = signal<SideView>('promises')

export function show(next: View): void {
  view.value = next
  if (next !== 'chats' && next !== 'talk') side.value = next
}
