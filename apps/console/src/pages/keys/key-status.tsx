import type { ApiKey } from '@vaani/client'
import { Badge } from '../../parts/badge.tsx'
import { t } from '../../text/text.ts'

export const KeyStatus = ({ of: { revoked_at } }: { of: ApiKey }) =>
  revoked_at === null ? (
    <Badge tone="good">{t.keys.valid}</Badge>
  ) : (
    <Badge tone="plain">{t.keys.revoked}</Badge>
  )
