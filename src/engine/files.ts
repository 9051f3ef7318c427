import { chmod, link, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

let drafts = 0

/** Writes a file that is whole and on the disk, or not there under its name; only we may read it. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await withDraft(file, text, (draft) => rename(draft, file))
}

/** The same, but a file that is there already stays as it is; answers whether ours was first. */
export async function createWhole(file: string, text: string): Promise<boolean> {
  try {
    await withDraft(file, text, (draft) => link(draft, file))
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code
}

async function withDraft(file: string, text: string, publish: (draft: string) => Promise<void>): Promise<void> {
  const folder = path.dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.${(drafts += 1)}.draft`
  try {
    await writeToDisk(draft, text)
    await publish(draft)
  } finally {
    await rm(draft, { force: true })
  }
  await syncFolder(folder)
}

async function writeToDisk(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  // The mode above counts only for a new file, and the umask may have narrowed it.
  await chmod(file, 0o600)
}

/** A name is on the disk when its folder is. Windows opens no folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
