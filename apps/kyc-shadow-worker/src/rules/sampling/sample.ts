import { createHmac, type KeyObject } from 'node:crypto'

/** A `KeyObject` saves half of the time of each hash. */
export type SamplingKey = Uint8Array | KeyObject

/** 2^48: as many bits as one read gives, far more than any share needs. */
const BUCKETS = 2 ** 48

/**
 * Whether a subject is in a sample. The same subject is always in or always out, and a larger share holds the smaller, because the subject's
 * place from 0 to 1 is a keyed hash (HMAC-SHA256), and the sample is all places below the share. Nobody without the key can choose
 * external ids that are in it, or learn from an id whether it is.
 *
 * @param subject `external_id`, or the digest of the media of a submission without one
 * @param share from 0 to 1
 */
export const isSampled = (subject: string, share: number, key: SamplingKey): boolean =>
  placeOf(subject, key) < share

function placeOf(subject: string, key: SamplingKey): number {
  const digest = createHmac('sha256', key).update(subject).digest()
  return digest.readUIntBE(0, 6) / BUCKETS
}
