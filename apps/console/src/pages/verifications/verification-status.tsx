import type { Verification } from '@vaani/client'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { keysOf } from '../../parts/keys-of.ts'
import { t } from '../../text/text.ts'

const TONES: Readonly<Record<Verification['decision'], Tone>> = {
  pending: 'busy',
  review: 'busy',
  approved: 'good',
  declined: 'bad',
}
export const STATUSES = keysOf(TONES)

export const VerificationStatus = ({ of: { decision } }: { of: Verification }) => (
  <Badge tone={TONES[decision]}>{t.verifications[decision]}</Badge>
)
