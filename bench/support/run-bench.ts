import os from 'node:os'
import path from 'node:path'

type Close = () => unknown

/** What is undone when the benchmark ends, however it ends; the last added goes first. */
export interface Closings {
  add(close: Close): void
}

/** Runs a benchmark, says where it ran, and leaves nothing behind: not on an error and not on Ctrl-C. */
export function runBench(main: (closings: Closings, args: readonly number[]) => Promise<void>): void {
  const closings = createClosings()
  let stopped = false
  const stop = () => {
    if (stopped) return
    stopped = true
    void closings.closeAll().then(() => process.exit(130))
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const run = async () => {
    printMachine()
    await main(closings, process.argv.slice(2).map(readCount))
  }
  void run()
    .catch((error: unknown) => stopped || report(error))
    .then(() => stopped || closings.closeAll().then(() => process.exit()))
}

/** Undoes what `work` has added as soon as it is over, or with the rest if the benchmark ends before that. */
export async function withClosings<T>(outer: Closings, work: (closings: Closings) => Promise<T>): Promise<T> {
  const own = createClosings()
  outer.add(own.closeAll)
  try {
    return await work(own)
  } finally {
    await own.closeAll()
  }
}

function createClosings(): Closings & { closeAll(): Promise<void> } {
  const stack: Close[] = []
  let closing: Promise<void> | undefined
  const unwind = async () => {
    for (let close = stack.pop(); close; close = stack.pop()) {
      await Promise.resolve().then(close).catch(report)
    }
  }
  return {
    add: (close) => void stack.push(close),
    closeAll: () => (closing ??= unwind()),
  }
}

export const say = (line: string): void => void process.stderr.write(`${line}\n`)
export const print = (text: string): void => void process.stdout.write(`${text}\n`)

function report(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = 1
}

function printMachine(): void {
  const name = path.basename(process.argv[1] ?? '', '.js')
  const load = os.loadavg()[0]!.toFixed(1)
  print(`$ npm run bench ${[name, ...process.argv.slice(2)].join(' ')}`)
  print(
    `${os.cpus().length} cores, Node ${process.version}, ${os.platform()} ${os.arch()}, load ${load} at the start\n`,
  )
}

function readCount(argument: string): number {
  const count = Number(argument)
  if (Number.isInteger(count) && count > 0) return count
  throw new Error(`"${argument}" is no whole number above zero`)
}
