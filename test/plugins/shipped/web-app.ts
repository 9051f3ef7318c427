import { strFromU8, unzipSync } from 'fflate'
import type { Ran } from './shipped-fixture'

export const FILES = [
  'index.html',
  'manifest.webmanifest',
  'icons/icon.svg',
  'icons/icon-192.png',
  'icons/icon-512.png',
  'service-worker.js',
  'serve.js',
  'open.sh',
  'open.command',
  'open.bat',
  'README.txt',
]

/** The files of the one zip that a call gave away. */
export function unpack({ files }: Ran): { read(name: string): string; bytes(name: string): Buffer; names: string[] } {
  const [file] = files
  const entries = unzipSync(file?.content ?? new Uint8Array())
  const bytes = (name: string) => Buffer.from(entries[name] ?? [])
  return { names: Object.keys(entries), bytes, read: (name) => strFromU8(bytes(name)) }
}

/** Addresses that name a thing and load nothing. */
const NAMES = /http:\/\/www\.w3\.org\/(?:2000\/svg|1999\/xlink)|http:\/\/127\.0\.0\.1/g

export const remoteAddresses = (text: string): string[] =>
  text.replaceAll(NAMES, '').match(/(?:https?:|wss?:)?\/\/[a-z0-9][\w.-]*\.[a-z]{2,}/gi) ?? []
