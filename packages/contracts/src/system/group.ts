import type { GroupDeclaration } from '../shared/group.ts'

export const systemGroup = {
  name: 'system',
  description: 'Health probes and the OpenAPI document.',
} as const satisfies GroupDeclaration
