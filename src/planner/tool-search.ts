import { refuse } from '../contracts/refusal'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Tool } from '../contracts/tool'

const Parameters = Type.Object(
  { query: Type.String({ minLength: 1, maxLength: 200, description: 'What you need, in a few words.' }) },
  { additionalProperties: false },
)
const MOST = 5

/** Finds tools that are not shown all the time; what it finds can be called in the next round. */
export function createToolSearch(deferred: () => Tool[]): Tool {
  return {
    name: 'tool_search',
    description: 'Searches further tools by what they do. The tools it finds can be called from then on in this turn.',
    parameters: Parameters,
    isOffered: (session, origin) => deferred().some((tool) => tool.isOffered(session, origin)),
    async execute(args, { session, origin }) {
      const { query } = args as Static<typeof Parameters>
      const offered = deferred().filter((tool) => tool.isOffered(session, origin))
      const found = rank(query, offered).slice(0, MOST)
      const tools = found.map(({ name, description }) => ({ name, description }))
      if (tools.length === 0) return refuse('nothing_found', 'No further tool does that.')
      return { ok: true, data: { tools }, reveals: found.map(({ name }) => name) }
    },
  }
}

function rank(query: string, tools: Tool[]): Tool[] {
  const words = query.toLowerCase().match(/[a-z0-9]+|\p{Script=Han}/gu) ?? []
  const score = (tool: Tool) => {
    const text = `${tool.name} ${tool.description}`.toLowerCase()
    return words.filter((word) => text.includes(word)).length
  }
  return tools
    .map((tool) => ({ tool, points: score(tool) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .map(({ tool }) => tool)
}
