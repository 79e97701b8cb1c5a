import { createHash } from 'node:crypto'

/** Digest algorithms, strongest first: the order in which challenges are chosen (RFC 8760, RFC 7616). */
export const DIGEST_ALGORITHMS = [
  'SHA-512-256',
  'SHA-512-256-sess',
  'SHA-256',
  'SHA-256-sess',
  'MD5',
  'MD5-sess',
] as const

export type DigestAlgorithm = (typeof DIGEST_ALGORITHMS)[number]

/** Finds an algorithm by its name, in any case. */
export const algorithmNamed = (name: string): DigestAlgorithm | undefined =>
  DIGEST_ALGORITHMS.find((algorithm) => algorithm.toLowerCase() === name.toLowerCase())

/** Whether the key is bound to the nonces of a session. */
export const isSession = (algorithm: DigestAlgorithm): boolean => algorithm.endsWith('-sess')

const HASHES = {
  'SHA-512-256': 'sha512-256',
  'SHA-512-256-sess': 'sha512-256',
  'SHA-256': 'sha256',
  'SHA-256-sess': 'sha256',
  MD5: 'md5',
  'MD5-sess': 'md5',
} as const satisfies Record<DigestAlgorithm, string>

/** Hashes to lower-case hexadecimal. */
export const hashWith = (algorithm: DigestAlgorithm, data: string | Uint8Array): string =>
  createHash(HASHES[algorithm]).update(data).digest('hex')
