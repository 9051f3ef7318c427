import type { Config } from '../config'

export interface Summary {
  url: string
  temporalUiUrl: string | undefined
  temporalAddress: string
  signInUrl: string | undefined
  credentialsPath: string
  username: string
  config: Config
}

/** Where to go, once everything is up. */
export function formatSummary(summary: Summary): string {
  const rows: [string, string][] = [
    ['Page', `${summary.url}/`],
    ['API docs', `${summary.url}/docs`],
    ...(summary.temporalUiUrl === undefined ? [] : [['Temporal UI', summary.temporalUiUrl] as [string, string]]),
    ['Temporal', `${summary.temporalAddress} (gRPC, for the temporal CLI: --address ${summary.temporalAddress})`],
    ['Sign in', summary.signInUrl ?? `${summary.url}/ as "${summary.username}" (password in the file below)`],
    ['Credentials', summary.credentialsPath],
    ['Model', describeModel(summary.config)],
    ['Data', summary.config.dataDir],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
  return ['', 'Punctual is ready.', '', ...lines, '', 'Ctrl-C stops everything.', '', ''].join('\n')
}

function describeModel({ model }: Config): string {
  if (model.offline) {
    return 'the built-in offline model: it follows rules, knows reminders, tasks, automations and the shipped plugins, and\n               cannot talk about anything else. Set OPENAI_API_KEY, or OPENAI_BASE_URL for any compatible server'
  }
  return [model.name ?? 'default model', 'at', model.baseUrl ?? 'OpenAI'].join(' ')
}
