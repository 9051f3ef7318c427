import type { PluginCall, RunnableTool, RunResult } from './contract'
import type { Heartbeat } from '../../engine/heartbeat'
import type { PluginFault } from './registry'

/** One kind of tools behind the host: plugins of our own, or MCP servers. */
export interface ToolSource {
  list(): RunnableTool[]
  find(aiName: string): RunnableTool | undefined
  faults(): PluginFault[]
  /** Whether a call of this name is for this source, even where the tool is not known (yet). */
  owns(aiName: string): boolean
  run(call: PluginCall, heartbeat: Heartbeat): Promise<RunResult>
  close(): Promise<void>
}
