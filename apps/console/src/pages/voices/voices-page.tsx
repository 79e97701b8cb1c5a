import type { Voice } from '@vaani/client'
import { Link } from 'wouter'
import { Empty } from '../../parts/empty.tsx'
import { List } from '../../parts/list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { VoiceStatus } from './voice-status.tsx'

const COLUMNS: readonly Column<Voice>[] = [
  { name: t.voices.name, cell: ({ voice_id, name }) => <Link href={`/voices/${voice_id}`}>{name}</Link> },
  { name: t.voices.status, cell: (voice) => <VoiceStatus of={voice} /> },
  { name: t.voices.language, cell: ({ language }) => language },
  { name: t.voices.created, cell: ({ created_at }) => <Time at={created_at} /> },
]

const CLONE = [
  `curl ${location.origin}/v1/audio/clone`,
  `-H "Authorization: Bearer $KEY"`,
  '-F name=Sita -F language=ne-NP -F consent=true',
  '-F samples=@sita-1.wav -F samples=@sita-2.wav',
].join(' \\\n  ')

/** The account's cloned voices, newest first. */
export const VoicesPage = () => (
  <>
    <PageHeader title={t.voices.title} />
    <List
      label={t.voices.title}
      columns={COLUMNS}
      idOf={({ voice_id }) => voice_id}
      queryKey={['voices']}
      read={(page, options) => vaani.voices.list(page, options)}
      empty={<Empty title={t.voices.none} hint={t.voices.noneHint} command={CLONE} />}
    />
  </>
)
