import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Product } from '../support/product'
import { temporalAddress, temporalBinary } from '../support/services'

const execute = promisify(execFile)

/** The real command, as an operator types it. */
export function createTemporalCommand({ namespace }: Pick<Product, 'namespace'>) {
  return async (...args: string[]): Promise<string> => {
    const place = ['--address', temporalAddress(), '--namespace', namespace]
    const { stdout } = await execute(temporalBinary(), [...args, ...place], { timeout: 60_000, maxBuffer: 1e8 })
    return stdout
  }
}
