import type { GroupDeclaration } from '../shared/group.ts'
import { perMinute } from '../shared/rates.ts'

export const lexiconsGroup = {
  name: 'lexicons',
  description: 'Pronunciations of an account.',
  limits: {
    /** Per mode. */
    lexiconsPerAccount: 50,
    lexiconEntries: 1000,
    lexiconTermCharacters: 100,
    lexiconSpokenAsCharacters: 200,
  },
  rateLimits: { lexicon_changes: perMinute(20, 60, true) },
} as const satisfies GroupDeclaration
