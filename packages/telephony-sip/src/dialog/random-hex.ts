import { randomBytes } from 'node:crypto'

/** Returns so many random bytes, as hexadecimal digits. */
export type RandomHex = (bytes: number) => string

export const randomHex: RandomHex = (bytes) => randomBytes(bytes).toString('hex')
