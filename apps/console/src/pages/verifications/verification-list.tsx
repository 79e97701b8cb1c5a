import type { Verification } from '@vaani/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { List, type PageRequest } from '../../parts/list.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { findingName } from '../reviews/names.ts'
import { VerificationStatus } from './verification-status.tsx'

const STATUS: Column<Verification> = {
  name: t.verifications.status,
  cell: (one) => <VerificationStatus of={one} />,
}
const REST: readonly Column<Verification>[] = [
  {
    name: t.verifications.reasons,
    cell: ({ reasons = [] }) => [...new Set(reasons.map(({ code }) => findingName(code)))].join(', ') || null,
  },
  { name: t.verifications.created, cell: ({ created_at }) => created_at && <Time at={created_at} /> },
  { name: t.verifications.decided, cell: ({ decided_at }) => decided_at && <Time at={decided_at} /> },
]

const linkTo = ({ verification_id }: Verification, text: string) => (
  <Link href={`/verifications/${verification_id}`}>{text}</Link>
)

const ALL: readonly Column<Verification>[] = [
  {
    name: t.verifications.person,
    cell: (one) => linkTo(one, one.external_id ?? one.verification_id),
  },
  STATUS,
  ...REST,
]
const OF_ONE: readonly Column<Verification>[] = [
  { name: t.verifications.title, cell: (one) => linkTo(one, one.verification_id) },
  STATUS,
  ...REST,
]

const idOf = ({ verification_id }: Verification): string => verification_id

/** The account's verifications, newest first. */
export const VerificationList = (props: {
  status?: Verification['decision'] | undefined
  externalId?: string
  empty: ReactNode
}) => {
  const { status, externalId, empty } = props
  const filter = { ...(status && { status }), ...(externalId && { external_id: externalId }) }
  return (
    <List
      label={t.verifications.title}
      columns={ALL}
      idOf={idOf}
      queryKey={['verifications', filter]}
      read={(page, options) => vaani.identity.list({ ...page, ...filter }, options)}
      empty={empty}
    />
  )
}

/** The other verifications of a person. */
export const OthersOf = ({ externalId, but }: { externalId: string; but: string }) => (
  <List
    label={t.verifications.others}
    columns={OF_ONE}
    idOf={idOf}
    queryKey={['subject', externalId, but]}
    read={async (page: PageRequest, options) => {
      const { data, next_cursor } = await vaani.identity.subject(externalId, page, options)
      return { data: data.filter(({ verification_id }) => verification_id !== but), next_cursor }
    }}
    empty={<p className="hint">{t.verifications.noOthers}</p>}
  />
)
