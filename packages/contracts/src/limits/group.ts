import type { GroupDeclaration } from '../shared/group.ts'

export const limitsGroup = {
  name: 'limits',
  description: 'How near an account is to its limits.',
} as const satisfies GroupDeclaration
