import type { GroupDeclaration } from '../shared/group.ts'

export const reviewsGroup = {
  name: 'reviews',
  description: 'People who review verifications.',
  ids: { entry: 'rev_' },
  limits: {
    /** How long a reviewer keeps a review that they claimed and have not claimed again. */
    reviewClaimMinutes: 15,
  },
  scopes: ['identity:review', 'identity:vouch'],
} as const satisfies GroupDeclaration
