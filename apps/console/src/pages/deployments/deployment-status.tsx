import type { Deployment } from '@vaani/client'
import { Badge } from '../../parts/badge.tsx'
import { t } from '../../text/text.ts'

export function DeploymentStatus({ of: { status, expires_at } }: { of: Deployment }) {
  if (status === 'revoked') return <Badge tone="bad">{t.deployments.revoked}</Badge>
  return Date.parse(expires_at) <= Date.now() ? (
    <Badge tone="plain">{t.deployments.expired}</Badge>
  ) : (
    <Badge tone="good">{t.deployments.valid}</Badge>
  )
}
