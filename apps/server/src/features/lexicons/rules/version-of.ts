import { createHash } from 'node:crypto'
import type { LexiconEntry } from '@vaani/speech'

const VERSION_CHARACTERS = 22

/**
 * Computes the version of entries from what they say, so that entries that are stored again, after a deletion too, have the
 * same one, and no other entries have.
 */
export const versionOf = (entries: readonly LexiconEntry[]): string =>
  createHash('sha256')
    .update(JSON.stringify(entries.map(({ term, spoken_as }) => [term, spoken_as])))
    .digest('base64url')
    .slice(0, VERSION_CHARACTERS)
