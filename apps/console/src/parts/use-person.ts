import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import type { EntryState } from '../go-to/entry-state.ts'

const PARAM = 'external_id'

/**
 * The person whom a list is narrowed down to. They are not in the address, which browsers write down and show while one types, but beside
 * it, where a reload and the back button find them. An address that names a person is taken, and then forgets them.
 */
export function usePerson(): readonly [person: string, setPerson: (person: string) => void] {
  const state = useHistoryState<EntryState | null>()
  const [path, navigate] = useLocation()
  const [search] = useSearchParams()
  const named = search.get(PARAM)
  const others = new URLSearchParams(search)
  others.delete(PARAM)
  const address = others.size > 0 ? `${path}?${others}` : path
  useEffect(() => {
    if (named !== null) navigate(address, { replace: true, state: { person: named } satisfies EntryState })
  }, [named, address, navigate])
  return [
    named ?? state?.person ?? '',
    (person) => navigate(address, { state: person === '' ? null : ({ person } satisfies EntryState) }),
  ]
}
