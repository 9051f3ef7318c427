/** What models accept as the name of a tool. */
const MAX_NAME = 64

export function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_')
}

export function toAiName(server: string, tool: string): string {
  return `${server}__${plainName(tool)}`.slice(0, MAX_NAME)
}
