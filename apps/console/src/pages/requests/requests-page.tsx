import { useSearchParams } from 'wouter'
import { Empty } from '../../parts/empty.tsx'
import { Filters } from '../../parts/filters.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Search } from '../../parts/search.tsx'
import { t } from '../../text/text.ts'
import { filterOf, type FilterName, FILTERS, readFilter } from './filters.ts'
import { RefusedList } from './refused-list.tsx'

const REFUSED = [
  `curl ${location.origin}/agent/calls`,
  `-H "Authorization: Bearer $KEY" -H 'content-type: application/json'`,
  `-d '{"to":"12","agent_id":"reminder"}'`,
].join(' \\\n  ')

/** Refused requests. Filters and the open row are in the address. */
export function RequestsPage() {
  const [search, setSearch] = useSearchParams()
  const filter = readFilter(search)
  const chosen = FILTERS.filter((name) => filter[name] !== undefined)
  function choose(name: FilterName, text: string): void {
    setSearch((before) => {
      const after = new URLSearchParams(before)
      after.delete('open')
      if (text === '') after.delete(name)
      else after.set(name, text)
      return after
    })
  }
  return (
    <>
      <PageHeader title={t.requests.title} />
      <p className="hint">{t.requests.hint}</p>
      <Search
        key={search.toString()}
        label={t.requests.search}
        text=""
        onSearch={(text) => text !== '' && choose(filterOf(text), text)}
      />
      <Filters
        of={chosen.map((name) => ({ name, text: String(filter[name]) }))}
        onRemove={(name) => choose(name, '')}
      />
      <RefusedList
        filter={filter}
        empty={
          chosen.length > 0 ? (
            <p className="hint">{t.common.noMatch}</p>
          ) : (
            <Empty title={t.requests.none} hint={t.requests.noneHint} command={REFUSED} />
          )
        }
      />
    </>
  )
}
