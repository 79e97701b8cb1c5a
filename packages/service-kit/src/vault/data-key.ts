import { randomBytes } from 'node:crypto'
import type { Vault } from './vault.ts'

const KEY_BYTES = 32

/** Makes the key for all stored data of one object, e.g. a call. Erasing the sealed key erases the data. */
export function makeDataKey(vault: Vault, ownerId: string): { key: Buffer; sealed: Buffer } {
  const key = randomBytes(KEY_BYTES)
  return { key, sealed: vault.seal(key.toString('base64'), ownerId) }
}

/** @throws VaultError */
export const openDataKey = (vault: Vault, ownerId: string, sealed: Buffer): Buffer =>
  Buffer.from(vault.open(sealed, ownerId), 'base64')
