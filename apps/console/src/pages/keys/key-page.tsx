import type { ApiKey } from '@vaani/client'
import { useQuery } from '@tanstack/react-query'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { findIn } from '../../parts/find-in.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Revocation } from '../../parts/revocation.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { KeyStatus } from './key-status.tsx'

/** One key: what it may do, and how to revoke it. */
export function KeyPage({ id }: { id: string }) {
  const queryKey = ['key', id]
  const read = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      findIn(vaani.admin.listKeys({ limit: 100 }, { signal }), ({ key_id }) => key_id === id),
  })
  const { session } = useSession()
  return (
    <Loaded read={read} list={{ path: '/keys', title: t.keys.all }} title={id}>
      {(key) => (
        <>
          <PageHeader title={key.name}>
            <span aria-live="polite">
              <KeyStatus of={key} />
            </span>
          </PageHeader>
          <KeyFacts of={key} />
          <JsonView of={key} />
          <Revocation
            name={t.keys.revoke}
            hint={id === session.key_id ? t.keys.revokeOwnHint : t.keys.revokeHint}
            id={id}
            isRevoked={key.revoked_at !== null}
            revoke={() => vaani.admin.revokeKey(id)}
            queryKey={queryKey}
          />
        </>
      )}
    </Loaded>
  )
}

const KeyFacts = ({ of: key }: { of: ApiKey }) => (
  <Facts
    of={[
      [t.common.id, <CopiedId key="id" id={key.key_id} />],
      [t.keys.hint, <code key="hint">{key.hint}…</code>],
      [t.keys.scopes, key.scopes.join(', ')],
      [t.keys.created, <Time key="created" at={key.created_at} />],
      [t.keys.revokedAt, key.revoked_at && <Time key="revoked" at={key.revoked_at} />],
    ]}
  />
)
