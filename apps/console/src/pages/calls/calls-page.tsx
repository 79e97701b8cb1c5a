import { Link } from 'wouter'
import { PageHeader } from '../../parts/page-header.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { keysOf } from '../../parts/keys-of.ts'
import { useChoice } from '../../parts/use-choice.ts'
import { t } from '../../text/text.ts'
import { CallList } from './call-list.tsx'

const STATUSES = keysOf(t.codes.callStatuses)

/** The account's calls. The filter is in the address. */
export function CallsPage() {
  const [status, setStatus] = useChoice('status', STATUSES)
  return (
    <>
      <PageHeader title={t.calls.title}>
        <Link href="/calls/new" className="button primary">
          {t.calls.place}
        </Link>
      </PageHeader>
      <Tabs
        label={t.calls.status}
        tabs={[['', t.common.all], ...STATUSES.map((one) => [one, t.codes.callStatuses[one]] as const)]}
        chosen={status ?? ''}
        onChoose={setStatus}
      />
      <CallList status={status} />
    </>
  )
}
