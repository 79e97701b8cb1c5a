import type { Deployment } from '@vaani/client'
import { useQuery } from '@tanstack/react-query'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Revocation } from '../../parts/revocation.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { DeploymentStatus } from './deployment-status.tsx'

/** One deployment: what its license includes, and how to revoke it. */
export function DeploymentPage({ id }: { id: string }) {
  const queryKey = ['deployment', id]
  const read = useQuery({
    queryKey,
    queryFn: ({ signal }) => vaani.deployments.retrieve(id, { signal }),
  })
  return (
    <Loaded read={read} list={{ path: '/deployments', title: t.deployments.all }} title={id}>
      {(deployment) => (
        <>
          <PageHeader title={deployment.name}>
            <span aria-live="polite">
              <DeploymentStatus of={deployment} />
            </span>
          </PageHeader>
          <DeploymentFacts of={deployment} />
          <JsonView of={deployment} />
          <Revocation
            name={t.deployments.revoke}
            hint={t.deployments.revokeHint}
            id={id}
            isRevoked={deployment.revoked_at !== null}
            revoke={() => vaani.deployments.revoke(id)}
            queryKey={queryKey}
          />
        </>
      )}
    </Loaded>
  )
}

const DeploymentFacts = ({ of: deployment }: { of: Deployment }) => (
  <Facts
    of={[
      [t.common.id, <CopiedId key="id" id={deployment.deployment_id} />],
      [t.deployments.target, t.deployments.targets[deployment.target]],
      [t.deployments.model, deployment.base_model],
      [t.deployments.models, deployment.models.join(', ')],
      [t.deployments.replicas, deployment.replicas],
      [t.deployments.seats, deployment.seats],
      [t.deployments.created, <Time key="created" at={deployment.created_at} />],
      [t.deployments.expires, <Time key="expires" at={deployment.expires_at} />],
      [t.deployments.revokedAt, deployment.revoked_at && <Time key="revoked" at={deployment.revoked_at} />],
    ]}
  />
)
