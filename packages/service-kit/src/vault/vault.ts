import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  type Hmac,
  hkdfSync,
} from 'node:crypto'
import { drawNonce, NONCE_BYTES } from './nonce.ts'

/** Encrypts secrets that must be stored and read again, e.g. webhook signing secrets. */
export interface Vault {
  /** Seals a text for its owner; it cannot be opened for any other. */
  seal(text: string, owner: string): Buffer
  /** @throws VaultError if the key is not configured, or the bytes were altered or sealed for another owner */
  open(sealed: Buffer, owner: string): string
  /** Starts a keyed digest: equal for equal bytes until the key is replaced, and impossible to compute without the key. */
  startFingerprint(purpose: string): Hmac
  /** Derives a key of 32 bytes for a purpose from each key of the vault (HKDF, RFC 5869), the current one first. */
  deriveKeys(purpose: string): DerivedKeys
  /** Id of the key that seals. */
  readonly keyId: Buffer
  /** Ids of the former keys, which only open, in the order of the setting. */
  readonly formerKeyIds: readonly Buffer[]
  /** Whether the vault can open data sealed under this key id. */
  knows(keyId: Buffer): boolean
}

export class VaultError extends Error {
  override readonly name = 'VaultError'
  readonly code: 'unknown_key' | 'damaged'

  constructor(code: VaultError['code'], cause?: unknown) {
    super(
      code === 'unknown_key'
        ? 'Sealed under a key that is not configured'
        : 'Altered, or sealed for another owner or place',
      {
        cause,
      },
    )
    this.code = code
  }
}

export const VAULT_KEY_BYTES = 32
/** Keys for one purpose: that of the current key, and of former ones. */
export type DerivedKeys = readonly [Uint8Array, ...Uint8Array[]]
/** The current key, and former ones that still open. */
export type VaultKeys = readonly [Buffer, ...Buffer[]]
/** Everything sealed starts with the id of its key. */
export const KEY_ID_BYTES = 4
/** Returns the id of the key that something is sealed under. */
export const keyIdOf = (sealed: Buffer): Buffer => sealed.subarray(0, KEY_ID_BYTES)

const DERIVED_KEY_BYTES = 32
const TAG_BYTES = 16

/**
 * Creates a vault that uses AES-256-GCM with random nonces. The format is key id, nonce, tag, ciphertext. The first key seals
 * and all keys open, so that keys can be rotated.
 */
export function createVault(keys: VaultKeys): Vault {
  const idOf = (key: Buffer) =>
    createHash('sha256').update('vaani key id').update(key).digest().subarray(0, KEY_ID_BYTES)
  // Node checks bytes anew at each use, which takes longer than sealing a short text.
  const byId = new Map(keys.map((key) => [idOf(key).toString('hex'), createSecretKey(key)]))
  const current = createSecretKey(keys[0])
  const currentId = idOf(keys[0])
  return {
    seal(text, owner) {
      const nonce = drawNonce()
      const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(owner))
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([currentId, nonce, cipher.getAuthTag(), ciphertext])
    },
    open(sealed, owner) {
      const key = byId.get(keyIdOf(sealed).toString('hex'))
      if (key === undefined) throw new VaultError('unknown_key')
      const nonceEnd = KEY_ID_BYTES + NONCE_BYTES
      const tagEnd = nonceEnd + TAG_BYTES
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(KEY_ID_BYTES, nonceEnd), {
          authTagLength: TAG_BYTES,
        })
        decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(nonceEnd, tagEnd))
        return decipher.update(sealed.subarray(tagEnd), undefined, 'utf8') + decipher.final('utf8')
      } catch (error) {
        throw new VaultError('damaged', error)
      }
    },
    startFingerprint: (purpose) => createHmac('sha256', current).update(`fingerprint ${purpose}\0`),
    deriveKeys(purpose) {
      const derive = (key: Buffer) =>
        new Uint8Array(hkdfSync('sha256', key, '', `vaani ${purpose}`, DERIVED_KEY_BYTES))
      const [first, ...former] = keys
      return [derive(first), ...former.map(derive)]
    },
    keyId: currentId,
    formerKeyIds: keys.slice(1).map(idOf),
    knows: (keyId) => byId.has(keyId.toString('hex')),
  }
}
