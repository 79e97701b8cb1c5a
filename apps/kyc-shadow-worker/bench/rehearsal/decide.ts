import { createHash } from 'node:crypto'

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const APPROVED = 0.8
const REVIEW = 0.9

export type Decision = 'approved' | 'review' | 'declined'

/** Decides by a hash of the person, and the other way round for some of those whom it approves. */
export function decide(externalId: string, wrongShare: number): Decision {
  const hash = createHash('sha256').update(externalId).digest()
  const place = hash.readUInt32BE(0) / 2 ** 32
  if (place >= APPROVED) return place < REVIEW ? 'review' : 'declined'
  return hash.readUInt32BE(4) / 2 ** 32 < wrongShare ? 'declined' : 'approved'
}
