import { createHash, createHmac } from 'node:crypto'
import type { SamplingKey } from './sample.ts'

/** Files of a submission, in the order in which their digest joins them. */
export const SUBJECT_FILES = ['front_image', 'back_image', 'liveness_video'] as const
export type SubjectFile = (typeof SUBJECT_FILES)[number]

/** Enough to tell media apart, and the cost does not grow with a video. */
const HASHED_BYTES = 65_536

/** The digest of one file, taken while it passes. */
export interface FileDigest {
  update(chunk: Uint8Array): void
  digest(): Buffer
}

/** Digests the first 64 KiB of a file and its length. */
export function startFileDigest(): FileDigest {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    update(chunk) {
      if (bytes < HASHED_BYTES) hash.update(chunk.subarray(0, HASHED_BYTES - bytes))
      bytes += chunk.byteLength
    },
    digest: () => hash.update(`\0${bytes}`).digest(),
  }
}

/**
 * Returns the subject of a submission without `external_id`: the same for the same media, whatever the order and the boundary
 * of its form.
 */
export function subjectOfMedia(digests: Partial<Record<SubjectFile, Buffer>>): string {
  const hash = createHash('sha256')
  for (const name of SUBJECT_FILES) {
    const digest = digests[name]
    if (digest !== undefined) hash.update(name).update(digest)
  }
  return hash.digest('hex')
}

/** Returns what an entry of the spool holds in place of the subject: equal for equal subjects, and nobody can go back from it. */
export const hashSubject = (subject: string, key: SamplingKey): string =>
  createHmac('sha256', key).update('subject\0').update(subject).digest('hex')
