import { randomBytes } from 'node:crypto'
import { hashSecret } from '../../src/access/api-key'
import { hashPassword } from '../../src/access/password'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { settingsOf, startProcess } from '../support/processes'
import type { ProductProcess } from '../support/processes'
import { findFreePort } from '../support/services'

export const PASSWORD = 'a password of a person'

/** The whole product with a front door that can be killed and comes back at the same address. */
export interface PageHouse {
  product: Product
  url: string
  userId: string
  signInLink(): Promise<string>
  frontDoor(): ProductProcess
  /** kill -9. */
  killFrontDoor(): Promise<void>
  openFrontDoor(): Promise<void>
  close(): Promise<void>
}

export async function buildPageHouse(env: Record<string, string> = {}): Promise<PageHouse> {
  const product = await buildProduct(env)
  const { users } = product.parts.stores
  const { id: userId } = await users.create({ username: 'mia', passwordHash: await hashPassword(PASSWORD) })
  await product.startWorker()
  const port = await findFreePort()
  const ui = { TEMPORAL_UI_URL: 'http://127.0.0.1:8233' }
  let door: ProductProcess
  const openFrontDoor = async () => {
    door = await startProcess('server', { ...settingsOf(product), ...ui, ...env, PORT: String(port) })
  }
  await openFrontDoor()
  const url = `http://127.0.0.1:${port}/`
  return {
    product,
    url,
    userId,
    async signInLink() {
      const token = randomBytes(16).toString('base64url')
      await users.addSignInToken({ tokenHash: hashSecret(token), userId, validMs: 600_000 })
      return `${url}#token=${token}`
    },
    frontDoor: () => door,
    killFrontDoor: () => door.kill(),
    openFrontDoor,
    async close() {
      await door.kill()
      await product.close()
    },
  }
}
