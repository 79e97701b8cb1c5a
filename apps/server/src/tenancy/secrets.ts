import { hash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32

/** Makes the secret of a session, a link or an invitation. */
export const createSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** Computes the digest stored for a secret. A plain hash is safe because 256 random bits cannot be guessed. */
export const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')
