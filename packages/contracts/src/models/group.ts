import type { GroupDeclaration } from '../shared/group.ts'
import { perMinute } from '../shared/rates.ts'

export const modelsGroup = {
  name: 'models',
  description: 'Hosted models.',
  limits: { ocrPages: 50 },
  rateLimits: {
    chat: perMinute(60, 600, true),
    speech: perMinute(60, 600, true),
    ocr: perMinute(60, 600, true),
  },
  scopes: ['models:use'],
} as const satisfies GroupDeclaration
