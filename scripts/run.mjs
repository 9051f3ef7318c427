#!/usr/bin/env node
// npm run server | worker | migrate | doctor | time | punctual | eval | gate | soak | bench NAME: one part of the system, compiled first if need be.
import { ensureReady } from './setup.mjs'
import { loadEnvironment } from './setup/environment.mjs'
import { SetupError, runScript } from './setup/progress.mjs'
import { runCompiled } from './setup/run-compiled.mjs'

const PARTS = {
  server: 'src/server.js',
  worker: 'src/worker.js',
  migrate: 'src/migrate.js',
  doctor: 'src/embedded/doctor.js',
  time: 'src/time/command.js',
  punctual: 'src/cli.js',
  settings: 'src/settings-files.js',
  'import:nanobot': 'src/import-nanobot.js',
  eval: 'eval/main.js',
  gate: 'gate/main.js',
  soak: 'gate/soak.js',
}

function resolvePart([part, ...args]) {
  if (part === 'bench' && /^[\w-]+$/.test(args[0] ?? '')) return [`bench/${args[0]}.js`, args.slice(1)]
  if (Object.hasOwn(PARTS, part ?? '')) return [PARTS[part], args]
  throw new SetupError(`usage: run.mjs ${Object.keys(PARTS).join(' | ')} | bench NAME`)
}

await runScript(async () => {
  const [file, args] = resolvePart(process.argv.slice(2))
  await ensureReady({ build: true })
  loadEnvironment()
  runCompiled(file, args)
})
