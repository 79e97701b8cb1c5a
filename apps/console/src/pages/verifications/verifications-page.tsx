import { useLocation } from 'wouter'
import { Empty } from '../../parts/empty.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Search } from '../../parts/search.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useChoice } from '../../parts/use-choice.ts'
import { usePerson } from '../../parts/use-person.ts'
import { t } from '../../text/text.ts'
import { VerificationList } from './verification-list.tsx'
import { STATUSES } from './verification-status.tsx'

const SUBMIT = [
  `curl ${location.origin}/identity/kyc/v1`,
  `-H "Authorization: Bearer $KEY"`,
  '-F front_image=@front.jpg -F back_image=@back.jpg',
  '-F liveness_video=@face.mp4 -F external_id=person-42',
].join(' \\\n  ')

/** The account's verifications, by status and person. */
export function VerificationsPage() {
  const [, navigate] = useLocation()
  const [status, setStatus] = useChoice('status', STATUSES)
  const [person, setPerson] = usePerson()
  const isFiltered = status !== undefined || person !== ''
  return (
    <>
      <PageHeader title={t.verifications.title} />
      <Search
        label={t.verifications.search}
        text={person}
        onSearch={(text) => (text.startsWith('ver_') ? navigate(`/verifications/${text}`) : setPerson(text))}
      />
      <Tabs
        label={t.verifications.status}
        tabs={[['', t.common.all], ...STATUSES.map((one) => [one, t.verifications[one]] as const)]}
        chosen={status ?? ''}
        onChoose={setStatus}
      />
      <VerificationList
        status={status}
        externalId={person}
        empty={
          isFiltered ? (
            <p className="hint">{t.common.noMatch}</p>
          ) : (
            <Empty title={t.verifications.none} hint={t.verifications.noneHint} command={SUBMIT} />
          )
        }
      />
    </>
  )
}
