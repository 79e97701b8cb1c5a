import type { GroupDeclaration } from '../shared/group.ts'

export const membersGroup = {
  name: 'members',
  description: 'People who use the console for an account.',
  ids: { member: 'mem_' },
  limits: {
    /** Members that were not removed. */
    membersPerAccount: 100,
    /** How long an invitation works, once. */
    invitationDays: 7,
  },
} as const satisfies GroupDeclaration
