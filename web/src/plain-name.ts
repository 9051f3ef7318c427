/** Plugins are named for machines; a person reads words. */
export const plainName = (name: string) => name.replace(/^local__/, '').replaceAll('_', ' ')
