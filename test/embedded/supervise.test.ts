import type { Life } from '../../src/embedded/supervise'
import { supervise } from '../../src/embedded/supervise'

/** A process under supervision that ends when the test says so. */
function createLives() {
  const lives: { end: (how: string) => void }[] = []
  const start = async (): Promise<Life> => {
    let end: (how: string) => void = () => undefined
    const ended = new Promise<string>((resolve) => (end = resolve))
    lives.push({ end })
    return { ended, stop: async () => end('stopped'), kill: () => end('killed') }
  }
  return { lives, start }
}

describe('supervision', () => {
  it('starts again whatever ended, and says so in one line', async () => {
    const said: string[] = []
    const { lives, start } = createLives()
    const supervisor = supervise({ name: 'worker', start, say: (line) => said.push(line), onGiveUp: fail })
    await supervisor.whenUp()
    lives[0]?.end('SIGKILL')
    await new Promise(setImmediate)
    await supervisor.whenUp()
    expect(lives).toHaveLength(2)
    expect(said).toEqual(['worker ended (SIGKILL); starting it again in 0.1 s'])
    await supervisor.stop()
    expect(lives).toHaveLength(2)
  })

  it('gives up after five failed starts, with the reason', async () => {
    let attempts = 0
    const start = async (): Promise<Life> => {
      attempts += 1
      throw new Error('no such table')
    }
    const error = await new Promise<Error>((onGiveUp) => {
      supervise({ name: 'front door', start, say: () => undefined, onGiveUp })
    })
    expect(error.message).toBe('front door does not start: no such table')
    expect(attempts).toBe(5)
  })
})

function fail(error: Error): void {
  throw error
}
