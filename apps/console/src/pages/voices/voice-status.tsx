import type { Voice } from '@vaani/client'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { t } from '../../text/text.ts'

const TONES: Readonly<Record<Voice['status'], Tone>> = { ready: 'good', processing: 'busy', failed: 'bad' }

export const VoiceStatus = ({ of: { status } }: { of: Voice }) => (
  <Badge tone={TONES[status]}>{t.voices.statuses[status]}</Badge>
)
