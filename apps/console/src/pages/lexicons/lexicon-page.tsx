import type { Lexicon, LexiconEntry } from '@vaani/client'
import { useQuery } from '@tanstack/react-query'
import { Editable } from '../../parts/editable.tsx'
import { Facts } from '../../parts/facts.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Removal } from '../../parts/removal.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { LexiconForm } from './lexicon-form.tsx'

const COLUMNS: readonly Column<LexiconEntry>[] = [
  { name: t.lexicons.term, cell: ({ term }) => term },
  { name: t.lexicons.spokenAs, cell: ({ spoken_as }) => spoken_as || t.lexicons.leftOut },
]

/** How terms are spoken in one language, and the form that changes it. */
export function LexiconPage({ id: language }: { id: string }) {
  const read = useQuery({
    queryKey: ['lexicon', language],
    queryFn: ({ signal }) => vaani.lexicons.retrieve(language, { signal }),
  })
  return (
    <Loaded read={read} list={{ path: '/lexicons', title: t.lexicons.all }} title={language}>
      {(lexicon) => (
        <>
          <Editable
            title={lexicon.language}
            mayEdit
            of={lexicon}
            form={(lexicon, close) => <LexiconForm lexicon={lexicon} onSaved={close} onCancel={close} />}
          >
            <Entries of={lexicon} />
          </Editable>
          <JsonView of={lexicon} />
          <Removal
            name={t.lexicons.remove}
            hint={t.lexicons.removeHint}
            id={language}
            remove={() => vaani.lexicons.remove(language)}
            path="/lexicons"
          />
        </>
      )}
    </Loaded>
  )
}

const Entries = ({ of: lexicon }: { of: Lexicon }) => (
  <>
    <Facts
      of={[
        [t.lexicons.version, <code key="version">{lexicon.version}</code>],
        [t.lexicons.updated, <Time key="updated" at={lexicon.updated_at} />],
      ]}
    />
    <Table label={t.lexicons.entries} columns={COLUMNS} idOf={({ term }) => term} rows={lexicon.entries} />
  </>
)
