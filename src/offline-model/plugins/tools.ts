import type { JsonObject, Language } from '../../contracts/words'

export const DRAW = 'local__image_draw'
export const SEARCH = 'local__realtime_search'
export const REPOSITORY = 'local__github_repo_info'
export const MAKE_APP = 'local__html_to_app'
export const MARK_READ = 'local__qq_message_markGroupAsRead'
export const PLAN = 'run_plan'

/** Plugins and tools of MCP servers have two underscores in their names; built-in tools have not. */
export const isPluginTool = (name: string): boolean => name === PLAN || name.includes('__')

/** A tool that a sentence names, with what the sentence says for it. */
export interface PluginCall {
  aiName: string
  args: JsonObject
}

/** The arguments that one sentence names for one tool; undefined when the tool is not meant. */
export type ReadArguments = (text: string, plain: string, language: Language) => JsonObject | undefined
