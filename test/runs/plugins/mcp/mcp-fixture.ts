import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { PluginHost } from '../../../../src/runs/plugins/contract'
import type { PluginHostOptions } from '../../../../src/runs/plugins/plugin-host'
import { createTestHost } from '../host-fixture'

/** The protocol's reference server, written by others. */
export const EVERYTHING = require.resolve('@modelcontextprotocol/server-everything/dist/index.js')
export const everything = { command: process.execPath, args: [EVERYTHING, 'stdio'] }

/** A host that reads its servers from a file, which is removed when it has been read. */
export async function createMcpHost(mcpServers: object, options: Partial<PluginHostOptions> = {}): Promise<PluginHost> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'punctual-mcp-'))
  const mcpConfig = path.join(folder, 'mcp.json')
  fs.writeFileSync(mcpConfig, JSON.stringify({ mcpServers }))
  try {
    return await createTestHost({ mcpConfig, limits: { mcpStartMs: 30_000 }, ...options })
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}
