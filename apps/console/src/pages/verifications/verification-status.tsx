import type { Verification } from '@vaani/client'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { t } from '../../text/text.ts'

const TONES: Readonly<Record<Verification['decision'], Tone>> = {
  pending: 'busy',
  review: 'busy',
  approved: 'good',
  declined: 'bad',
}

export const VerificationStatus = ({ of: { decision } }: { of: Verification }) => (
  <Badge tone={TONES[decision]}>{t.verifications[decision]}</Badge>
)
