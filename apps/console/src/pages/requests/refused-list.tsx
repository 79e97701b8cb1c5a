import type { RefusedRequest } from '@vaani/client'
import type { ReactNode } from 'react'
import { Coded } from '../../parts/coded.tsx'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { meaningOf } from '../../parts/meaning-of.ts'
import { List } from '../../parts/list.tsx'
import { readOnlyRow } from '../../parts/only-row.ts'
import { Time } from '../../parts/time.tsx'
import { useParam } from '../../parts/use-choice.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import type { Filter } from './filters.ts'
import { KeyName } from './key-name.tsx'

const idOf = ({ refusal_id }: RefusedRequest): string => refusal_id

/** Refused requests that match a filter. The one that is open is in the address. */
export function RefusedList({ filter, empty }: { filter: Filter; empty: ReactNode }) {
  const [open, setOpen] = useParam('open')
  const { refusal_id, ...others } = filter
  return (
    <List
      label={t.requests.title}
      columns={[
        {
          name: t.requests.code,
          cell: ({ refusal_id, code }: RefusedRequest) => (
            <button
              type="button"
              className="as-text"
              aria-expanded={open === refusal_id}
              onClick={() => setOpen(open === refusal_id ? '' : refusal_id)}
            >
              <Coded name={meaningOf(code)?.name} code={code} />
            </button>
          ),
        },
        { name: t.requests.status, cell: ({ status }) => String(status) },
        { name: t.requests.route, cell: ({ method, route }) => <code>{`${method} ${route}`}</code> },
        { name: t.requests.key, cell: ({ key_id }) => <KeyName id={key_id} /> },
        { name: t.requests.created, cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
      idOf={idOf}
      detail={(refused) => (refused.refusal_id === open ? <Detail of={refused} /> : null)}
      queryKey={['requests', filter]}
      read={(page, options) =>
        refusal_id === undefined
          ? vaani.requests.list({ ...page, ...others }, options)
          : readOnlyRow(refusal_id, {
              idOf,
              read: (page) => vaani.requests.list({ ...page, ...others }, options),
            })
      }
      empty={empty}
    />
  )
}

function Detail({ of: refused }: { of: RefusedRequest }) {
  const meaning = meaningOf(refused.code)
  return (
    <>
      <Facts
        of={[
          [t.requests.cause, meaning?.cause],
          [t.requests.cure, meaning?.cure],
          [t.requests.param, refused.param && <code>{refused.param}</code>],
          [t.requests.request, <CopiedId key="id" id={refused.request_id} />],
          [t.requests.duration, t.formats.span(refused.duration_ms, 'millisecond')],
          [t.requests.omitted, refused.omitted > 0 ? t.requests.omittedHint(refused.omitted) : null],
        ]}
      />
      <JsonView of={refused} />
    </>
  )
}
