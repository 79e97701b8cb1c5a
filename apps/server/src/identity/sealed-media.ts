import { createCipheriv, createDecipheriv, type DecipherGCM, randomBytes } from 'node:crypto'
import type { Vault } from '../secrets/vault.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/** A key for the media and the data of one verification. Erasing it erases them. */
export function makeDataKey(vault: Vault, verificationId: string): { key: Buffer; sealed: Buffer } {
  const key = randomBytes(KEY_BYTES)
  return { key, sealed: vault.seal(key.toString('base64'), verificationId) }
}

export const openDataKey = (vault: Vault, verificationId: string, sealed: Buffer): Buffer =>
  Buffer.from(vault.open(sealed, verificationId), 'base64')

/** Bytes under AES-256-GCM, bound to their place: nonce, ciphertext, tag. */
export async function* sealMedia(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { key, place }: { key: Buffer; place: string },
): AsyncGenerator<Uint8Array> {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  yield nonce
  for await (const chunk of source) yield cipher.update(chunk)
  yield cipher.final()
  yield cipher.getAuthTag()
}

/**
 * The bytes again. They are proved only by the end: use nothing of them before it.
 *
 * @throws Error where they are not what was sealed there
 */
export async function* openMedia(
  source: AsyncIterable<Uint8Array>,
  { key, place }: { key: Buffer; place: string },
): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0)
  let decipher: DecipherGCM | undefined
  for await (const chunk of source) {
    rest = Buffer.concat([rest, chunk])
    if (decipher === undefined) {
      if (rest.length < NONCE_BYTES) continue
      decipher = createDecipheriv('aes-256-gcm', key, rest.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(place))
      rest = rest.subarray(NONCE_BYTES)
    }
    if (rest.length > TAG_BYTES) {
      yield decipher.update(rest.subarray(0, rest.length - TAG_BYTES))
      rest = Buffer.from(rest.subarray(rest.length - TAG_BYTES))
    }
  }
  if (decipher === undefined || rest.length !== TAG_BYTES) throw new Error('Sealed media is incomplete')
  decipher.setAuthTag(rest)
  yield decipher.final()
}

/** A short text of a verification, such as what was read from its document. */
export async function sealText(text: string, options: { key: Buffer; place: string }): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(sealMedia([Buffer.from(text)], options)))
}

export async function openText(sealed: Buffer, options: { key: Buffer; place: string }): Promise<string> {
  const one = async function* () {
    yield sealed
  }
  return Buffer.concat(await Array.fromAsync(openMedia(one(), options))).toString('utf8')
}
