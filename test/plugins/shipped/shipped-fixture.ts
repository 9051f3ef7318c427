import path from 'node:path'
import pino from 'pino'
import type { PluginFile, PluginHost, RunResult } from '../../../src/runs/plugins/contract'
import type { JsonObject, Language } from '../../../src/contracts/words'
import { createPluginHost } from '../../../src/runs/plugins/plugin-host'

export const SHIPPED = path.resolve(__dirname, '../../../plugins')

export interface Ran {
  result: RunResult
  files: PluginFile[]
}

/** Hosts of the shipped plugins with the settings of a test; each call runs in its own process, as in production. */
export function useShippedPlugins() {
  const hosts: PluginHost[] = []
  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.close()))
  })
  async function open(settings: Readonly<Record<string, string>> = {}): Promise<PluginHost> {
    const logger = pino({ level: 'silent' })
    const host = await createPluginHost({ folders: [SHIPPED], settings, egressOptions: { trustedHosts: [] }, logger })
    hosts.push(host)
    return host
  }
  /** Calls one plugin once. */
  async function run(name: string, args: JsonObject, { language, ...settings }: Settings = {}): Promise<Ran> {
    const host = await open(settings)
    const { signal } = new AbortController()
    const files: PluginFile[] = []
    const result = await host.run({
      ...{
        aiName: `local__${name}`,
        args,
        runId: 'run-1',
        stepIndex: 0,
        sessionKey: null,
        language: language ?? 'en',
        signal,
      },
      onStart: async () => true,
      onHeartbeat: () => undefined,
      async onFile(file) {
        files.push(file)
        const { name: called, contentType, content } = file
        const url = `/files/${files.length}`
        return { artifact_id: `a${files.length}`, name: called, content_type: contentType, size: content.length, url }
      },
    })
    return { result, files }
  }
  return { open, run }
}

/** Names are upper case; the language of the run stands beside them for brevity. */
type Settings = { language?: Language; [setting: Uppercase<string>]: string }

/** Jest types its matchers as `any`; a value in an expectation is unknown. */
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern)

/** The result of a call that could not be done, with a reason a person can read. */
export const refusal = (reason: RegExp): object => ({
  success: false,
  code: 'ERR',
  data: null,
  error: { message: matching(reason) },
})
