import { randomBytes } from 'node:crypto'
import type { Vault } from './vault.ts'

const KEY_BYTES = 32

/** Draws a key for data that is sealed before its object has an id. */
export const drawDataKey = (): Buffer => randomBytes(KEY_BYTES)

/** Seals the key for all stored data of one object, e.g. a call. Erasing the sealed key erases the data. */
export const sealDataKey = (vault: Vault, ownerId: string, key: Buffer): Buffer =>
  vault.seal(key.toString('base64'), ownerId)

/** Makes the key for all stored data of one object. */
export function makeDataKey(vault: Vault, ownerId: string): { key: Buffer; sealed: Buffer } {
  const key = drawDataKey()
  return { key, sealed: sealDataKey(vault, ownerId, key) }
}

/** @throws VaultError */
export const openDataKey = (vault: Vault, ownerId: string, sealed: Buffer): Buffer =>
  Buffer.from(vault.open(sealed, ownerId), 'base64')
