import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

export function hashPassword(password: string): Promise<string> {
  return hash(password)
}

export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password)
}

/** 24 letters and digits of base64url: 144 bits. */
export function randomPassword(): string {
  return randomBytes(18).toString('base64url')
}

let decoy: Promise<string> | undefined

/** Spends the time of a real check, so that an unknown name cannot be told from a wrong password by the clock. */
export async function wasteTimeOn(password: string): Promise<void> {
  decoy ??= hashPassword(randomPassword())
  await verifyPassword(await decoy, password)
}
