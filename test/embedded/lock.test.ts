import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { takeDataFolder } from '../../src/embedded/data-folder'
import { LockHeldError, takeLock, waitForLock } from '../../src/embedded/lock'
import { markProcess } from '../../src/embedded/process'
import { createTestFolder } from '../support/services'

const newLockFile = () => path.join(createTestFolder('lock'), 'lock.json')

describe('the lock of a data folder', () => {
  it('refuses a second holder with a message that says what to do', () => {
    const dir = createTestFolder('data')
    const lock = takeDataFolder(dir)
    expect(() => takeDataFolder(dir)).toThrow(/already running on .*PUNCTUAL_DATA_DIR/)
    lock.release()
    takeDataFolder(dir).release()
  })

  it('is taken over from a holder that was killed', async () => {
    const file = newLockFile()
    const holder = spawn('sleep', ['60'])
    fs.writeFileSync(file, JSON.stringify(markProcess(holder.pid ?? 0)))
    expect(() => takeLock(file)).toThrow(LockHeldError)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    const lock = takeLock(file)
    expect(lock.takenOver).toBe(true)
    expect(() => takeLock(file)).toThrow(LockHeldError)
    lock.release()
  })

  it('is taken over when the pid was given to another process since', () => {
    const file = newLockFile()
    fs.writeFileSync(file, JSON.stringify({ pid: process.ppid, startedAt: 'at another time' }))
    expect(takeLock(file).takenOver).toBe(true)
  })

  it('is taken over when a crash of the machine left it empty', () => {
    const file = newLockFile()
    fs.writeFileSync(file, '')
    expect(takeLock(file).takenOver).toBe(true)
  })

  it('can be waited for', async () => {
    const file = newLockFile()
    const first = takeLock(file)
    const onWait = jest.fn(() => first.release())
    const second = await waitForLock(file, { timeoutMs: 5_000, onWait })
    expect(onWait).toHaveBeenCalledTimes(1)
    second.release()
    expect(fs.existsSync(file)).toBe(false)
  })
})
