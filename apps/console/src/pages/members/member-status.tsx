import type { Member } from '@vaani/client'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { t } from '../../text/text.ts'

const TONES: Readonly<Record<Member['status'], Tone>> = { invited: 'busy', active: 'good', removed: 'plain' }

export function MemberStatus({ of: { status, invitation_expires_at: until } }: { of: Member }) {
  const isTooLate = status === 'invited' && (until === null || Date.parse(until) <= Date.now())
  if (isTooLate) return <Badge tone="bad">{t.members.expired}</Badge>
  return <Badge tone={TONES[status]}>{t.members.statuses[status]}</Badge>
}
