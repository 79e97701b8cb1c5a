import type { GroupDeclaration } from '../shared/group.ts'

export const migrationGroup = {
  name: 'migration',
  description: 'A migration from KYC v1 to v2.',
  ids: { pair: 'pair_', change: 'chg_' },
} as const satisfies GroupDeclaration
