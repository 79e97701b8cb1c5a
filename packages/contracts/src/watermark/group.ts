import { MIB } from '../shared/bytes.ts'
import type { GroupDeclaration } from '../shared/group.ts'
import { perMinute } from '../shared/rates.ts'

export const watermarkGroup = {
  name: 'watermark',
  description: 'The watermark of synthesized speech.',
  limits: { watermarkAudioBytes: 20 * MIB, watermarkAudioSeconds: 300 },
  rateLimits: { watermark_detection: perMinute(20, 200, true) },
} as const satisfies GroupDeclaration
