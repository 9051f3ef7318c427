import path from 'node:path'
import pino from 'pino'
import type { PluginCall, PluginFile, PluginHost } from '../../../src/runs/plugins/contract'
import type { JsonValue } from '../../../src/contracts/words'
import { createPluginHost } from '../../../src/runs/plugins/plugin-host'
import type { PluginHostOptions } from '../../../src/runs/plugins/plugin-host'

export const fixtures = (name: string) => path.join(__dirname, 'fixtures', name)

export function createTestHost(options: Partial<PluginHostOptions> = {}): Promise<PluginHost> {
  const logger = pino({ level: 'silent' })
  return createPluginHost({ folders: [], settings: {}, egressOptions: { trustedHosts: [] }, logger, ...options })
}

/** A call and what came of it besides its result. */
export interface TestCall extends PluginCall {
  beats: JsonValue[]
  files: PluginFile[]
}

export function makeCall(aiName: string, args: PluginCall['args'] = {}, more: Partial<PluginCall> = {}): TestCall {
  const beats: JsonValue[] = []
  const files: PluginFile[] = []
  return {
    ...{ aiName, args, beats, files },
    ...{ runId: 'run-1', stepIndex: 0, sessionKey: 'session-1', language: 'en' },
    signal: new AbortController().signal,
    onStart: async () => true,
    onHeartbeat: (detail) => void beats.push(detail),
    async onFile(file) {
      files.push(file)
      const id = `a${files.length}`
      const { name, contentType, content } = file
      return { artifact_id: id, name, content_type: contentType, size: content.byteLength, url: `/artifacts/${id}` }
    },
    ...more,
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Jest types its matchers as `any`; a value in an expectation is unknown. */
export const containing = (text: string): unknown => expect.stringContaining(text)
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern)
