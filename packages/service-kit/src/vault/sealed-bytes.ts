import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { VaultError } from './vault.ts'

/** A data key, and the place that what is sealed is bound to: it opens nowhere else. */
export interface Seal {
  key: Buffer
  place: string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** How much longer sealed bytes are. */
export const SEALED_OVERHEAD_BYTES = NONCE_BYTES + TAG_BYTES

/** Seals bytes that fit in memory with AES-256-GCM: nonce, ciphertext, tag. */
export function sealBytes(bytes: Uint8Array, { key, place }: Seal): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** @throws VaultError `damaged` if they are not what was sealed there */
export function openBytes(sealed: Buffer, { key, place }: Seal): Buffer {
  const tagStart = sealed.length - TAG_BYTES
  if (tagStart < NONCE_BYTES) throw new VaultError('damaged')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(tagStart))
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, tagStart)), decipher.final()])
  } catch (error) {
    throw new VaultError('damaged', error)
  }
}

/** Seals a short text of an object, such as what was read from a document. */
export const sealText = (text: string, seal: Seal): Buffer => sealBytes(Buffer.from(text), seal)

export const openText = (sealed: Buffer, seal: Seal): string => openBytes(sealed, seal).toString('utf8')
