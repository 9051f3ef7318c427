import fs from 'node:fs'
import path from 'node:path'
import type { PluginConfig } from './contract'
import type { InputCheck } from './input-check'
import { messageOf } from '../../errors'
import { createPluginConfigReader } from './plugin-config'
import type { PluginConfigReader } from './plugin-config'

export interface Plugin {
  aiName: string
  /** The real path of the handler's file. */
  file: string
  config: PluginConfig
  checkInput: InputCheck
}

export interface PluginFault {
  folder: string
  reason: string
}

export interface Registry {
  plugins: ReadonlyMap<string, Plugin>
  faults: PluginFault[]
}

/** Sources run as they are in tests; what is built has `index.js` only. */
export const RUNS_FROM_SOURCE = __filename.endsWith('.ts')
const ENTRIES = [...(RUNS_FROM_SOURCE ? ['index.ts'] : []), 'index.js', 'index.mjs', 'index.cjs']
const SKIPPED = /^[._]|^node_modules$/
const MAX_CONFIG_BYTES = 256 * 1024

/** The plugins that come with the product; `dist` mirrors the tree, so that this holds in both. */
export const SHIPPED_PLUGINS = path.resolve(__dirname, '../../../plugins')

/** Reads every plugin once, at boot: later a name is looked up here and never becomes a path. */
export function readRegistry(folders: readonly string[]): Registry {
  const plugins = new Map<string, Plugin>()
  const faults: PluginFault[] = []
  const readConfig = createPluginConfigReader()
  const attempt = (folder: string, work: () => void) => {
    try {
      work()
    } catch (error) {
      faults.push({ folder, reason: messageOf(error) })
    }
  }
  for (const root of folders) {
    attempt(root, () => {
      for (const folder of listPluginFolders(root)) {
        attempt(folder, () => add(plugins, readPlugin(root, folder, readConfig)))
      }
    })
  }
  return { plugins, faults }
}

/** A folder of plugins, or the folder of one. */
function listPluginFolders(root: string): string[] {
  if (fs.existsSync(path.join(root, 'config.json'))) return [root]
  return fs
    .readdirSync(root, { withFileTypes: true })
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !SKIPPED.test(entry.name))
    .map((entry) => path.join(root, entry.name))
    .sort()
}

function readPlugin(root: string, folder: string, readConfig: PluginConfigReader): Plugin {
  const home = realpathInside(fs.realpathSync(root), folder)
  if (!fs.existsSync(path.join(folder, 'config.json'))) throw new Error('config.json is missing')
  const configFile = realpathInside(home, path.join(folder, 'config.json'))
  if (fs.statSync(configFile).size > MAX_CONFIG_BYTES) throw new Error('config.json is larger than 256 KB')
  const checked = readConfig(fs.readFileSync(configFile, 'utf8'))
  const entry = ENTRIES.map((name) => path.join(folder, name)).find((file) => fs.existsSync(file))
  if (entry === undefined) throw new Error('it has no handler: index.js or index.mjs is missing')
  return { aiName: `local__${checked.config.name}`, file: realpathInside(home, entry), ...checked }
}

function realpathInside(home: string, file: string): string {
  const real = fs.realpathSync(file)
  if (real === home || real.startsWith(home + path.sep)) return real
  throw new Error(`${path.basename(file)} is a link that leads out of its folder`)
}

function add(plugins: Map<string, Plugin>, plugin: Plugin): void {
  const { aiName, config } = plugin
  const first = plugins.get(aiName)
  if (first !== undefined) {
    throw new Error(`the name ${config.name} is taken by the plugin in ${path.dirname(first.file)}`)
  }
  plugins.set(aiName, plugin)
}
