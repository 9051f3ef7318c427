import fs from 'node:fs'
import path from 'node:path'
import type { Rig } from '../rig/rig'

/** Files in which the canary stands although they are not the place for what people write. */
export function findLeaks({ dir, temporal, canary }: Pick<Rig, 'dir' | 'temporal' | 'canary'>): string[] {
  const logs = fs.readdirSync(path.join(dir, 'logs')).map((name) => path.join(dir, 'logs', name))
  const stored = fs.existsSync(temporal.dir)
    ? fs.readdirSync(temporal.dir).map((name) => path.join(temporal.dir, name))
    : []
  return [...logs, ...stored].filter((file) => holds(file, canary)).map((file) => path.relative(dir, file))
}

/** Piece by piece, with an overlap, so that a large file is not held whole. */
function holds(file: string, words: string): boolean {
  const handle = fs.openSync(file, 'r')
  const piece = Buffer.alloc(4 * 1024 * 1024)
  try {
    for (let at = 0; ; at += piece.length - words.length) {
      const read = fs.readSync(handle, piece, 0, piece.length, at)
      if (piece.subarray(0, read).includes(words)) return true
      if (read < piece.length) return false
    }
  } finally {
    fs.closeSync(handle)
  }
}
