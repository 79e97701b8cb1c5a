import { createHmac, timingSafeEqual } from 'node:crypto'
import { LIMITS } from '@vaani/contracts'
import type { Vault } from '@vaani/service-kit/vault/vault'

const PURPOSE = 'caller id codes'
/** As many bytes of the digest as a safe integer holds: a bias of 10⁶ in 2⁴⁸ is of no use. */
const DIGEST_BYTES = 6
const CODES = 10 ** LIMITS.callerIdCodeDigits

/** Codes of verifications. */
export interface Codes {
  codeOf(callerIdId: string): string
  /** Compares in constant time. */
  isCode(callerIdId: string, code: string): boolean
}

/**
 * Derives the code of a verification from its id, by HMAC-SHA256 (RFC 2104) with a key of the vault. So no code is stored, and whoever
 * reads the database, a backup or the logs learns none.
 */
export function createCodes(vault: Pick<Vault, 'deriveKeys'>): Codes {
  const keys = vault.deriveKeys(PURPOSE)
  const derive = (key: Uint8Array, callerIdId: string): string =>
    String(
      createHmac('sha256', key).update(callerIdId).digest().readUIntBE(0, DIGEST_BYTES) % CODES,
    ).padStart(LIMITS.callerIdCodeDigits, '0')
  return {
    codeOf: (callerIdId) => derive(keys[0], callerIdId),
    isCode(callerIdId, code) {
      const given = Buffer.from(code)
      // Each key is tried, whichever fits: during a change of keys, another process may have said the code of a former one.
      const fits = keys.map((key) => {
        const right = Buffer.from(derive(key, callerIdId))
        return given.length === right.length && timingSafeEqual(given, right)
      })
      return fits.includes(true)
    },
  }
}
