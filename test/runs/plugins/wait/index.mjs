import { setTimeout as sleep } from 'node:timers/promises'

export async function handler(args, { signal }) {
  await sleep(args.ms, undefined, { signal })
  if (args.fail) throw new Error(args.fail)
  return args.echo ? { args } : { waited: args.ms, summary: `waited ${args.ms} ms` }
}
