import type { GroupDeclaration } from '../shared/group.ts'

export const reviewsGroup = {
  name: 'reviews',
  description: 'People who review verifications.',
  ids: { entry: 'rev_' },
  limits: {
    /** How long a reviewer keeps a review that they claimed and have not claimed again. */
    reviewClaimMinutes: 15,
    /** Where the counts of the queue stop, so that they cost the same however long it is. */
    reviewsCounted: 1000,
  },
  scopes: ['identity:review', 'identity:vouch'],
} as const satisfies GroupDeclaration
