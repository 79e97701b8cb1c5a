import type { Deployment } from '@vaani/client'
import { Link } from 'wouter'
import { Empty } from '../../parts/empty.tsx'
import { List } from '../../parts/list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { DeploymentStatus } from './deployment-status.tsx'

const COLUMNS: readonly Column<Deployment>[] = [
  {
    name: t.deployments.name,
    cell: ({ deployment_id, name }) => <Link href={`/deployments/${deployment_id}`}>{name}</Link>,
  },
  { name: t.deployments.status, cell: (deployment) => <DeploymentStatus of={deployment} /> },
  { name: t.deployments.target, cell: ({ target }) => t.deployments.targets[target] },
  { name: t.deployments.seats, isNumber: true, cell: ({ seats }) => seats },
  { name: t.deployments.expires, cell: ({ expires_at }) => <Time at={expires_at} /> },
]

const CREATE = `vaani deploy create speech --model synth-v1 --target docker --out compose.yaml`

/** Servers in the customer's own network, newest first. */
export function DeploymentsPage() {
  const { session } = useSession()
  const mayCreate = session.tier === 'enterprise'
  return (
    <>
      <PageHeader title={t.deployments.title}>
        {mayCreate && (
          <Link href="/deployments/new" className="button primary">
            {t.deployments.create}
          </Link>
        )}
      </PageHeader>
      <List
        label={t.deployments.title}
        columns={COLUMNS}
        idOf={({ deployment_id }) => deployment_id}
        queryKey={['deployments']}
        read={(page, options) => vaani.deployments.list(page, options)}
        empty={
          mayCreate ? (
            <Empty title={t.deployments.none} hint={t.deployments.noneHint} command={CREATE} />
          ) : (
            <Empty title={t.deployments.none} hint={t.deployments.otherTier} />
          )
        }
      />
    </>
  )
}
