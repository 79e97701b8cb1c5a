import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import { drawNonce, NONCE_BYTES } from './nonce.ts'
import { VaultError } from './vault.ts'

/** A data key, and the place that sealed data is bound to. It cannot be opened in any other place. */
export interface Seal {
  key: Buffer
  place: string
}

const TAG_BYTES = 16
/** How much longer sealed bytes are than their plaintext. */
export const SEALED_OVERHEAD_BYTES = NONCE_BYTES + TAG_BYTES

/** Key objects of the data keys in use: making one costs three times as much as sealing a short text with it. */
const keyObjects = new WeakMap<Buffer, KeyObject>()

function keyObjectOf(key: Buffer): KeyObject {
  const known = keyObjects.get(key)
  if (known) return known
  const made = createSecretKey(key)
  keyObjects.set(key, made)
  return made
}

/** Seals bytes that fit in memory with AES-256-GCM, as nonce, ciphertext and tag. */
export function sealBytes(bytes: Uint8Array, { key, place }: Seal): Buffer {
  const nonce = drawNonce()
  const cipher = createCipheriv('aes-256-gcm', keyObjectOf(key), nonce).setAAD(Buffer.from(place))
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** @throws VaultError `damaged` if the bytes were altered or sealed for another place */
export function openBytes(sealed: Buffer, { key, place }: Seal): Buffer {
  const tagStart = sealed.length - TAG_BYTES
  if (tagStart < NONCE_BYTES) throw new VaultError('damaged')
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyObjectOf(key), sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(tagStart))
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, tagStart)), decipher.final()])
  } catch (error) {
    throw new VaultError('damaged', error)
  }
}

/** Seals a short text of an object, e.g. the extracted fields of a document. */
export const sealText = (text: string, seal: Seal): Buffer => sealBytes(Buffer.from(text), seal)

export const openText = (sealed: Buffer, seal: Seal): string => openBytes(sealed, seal).toString('utf8')
