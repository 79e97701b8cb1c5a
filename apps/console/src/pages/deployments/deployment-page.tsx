import type { Deployment } from '@vaani/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ConfirmedAct } from '../../parts/confirmed-act.tsx'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { DeploymentStatus } from './deployment-status.tsx'

/** One deployment: what its license includes, and how to revoke it. */
export function DeploymentPage({ id }: { id: string }) {
  const queries = useQueryClient()
  const queryKey = ['deployment', id]
  const read = useQuery({
    queryKey,
    queryFn: ({ signal }) => vaani.deployments.retrieve(id, { signal }),
  })
  const revoke = useMutation({
    mutationFn: () => vaani.deployments.revoke(id),
    onSuccess: (deployment) => queries.setQueryData(queryKey, deployment),
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
          {deployment.revoked_at === null && (
            <section className="page-end" aria-label={t.deployments.revoke}>
              <ConfirmedAct
                name={t.deployments.revoke}
                hint={t.deployments.revokeHint}
                id={id}
                act={() => revoke.mutate()}
              />
            </section>
          )}
          {revoke.error && <Problem error={revoke.error} />}
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
