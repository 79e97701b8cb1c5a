import { useLocation, useSearchParams } from 'wouter'
import { BESIDE } from './use-beside.ts'

/** What narrows the queue down. */
export interface Filter {
  readonly reason?: string
  readonly policy?: string
}

/** The queue as the address has it. Its cases have the same, so that they lead back to it, and to the next of its cases. */
export function useQueue() {
  const [search, setSearch] = useSearchParams()
  const [, navigate] = useLocation()
  const [reason, policy] = [search.get('reason'), search.get('policy')]
  const filter: Filter = { ...(reason && { reason }), ...(policy && { policy }) }
  const kept = new URLSearchParams(search)
  kept.delete(BESIDE)
  const asked = kept.size > 0 ? `?${kept}` : ''
  const pathOf = (id?: string) => (id === undefined ? '/reviews' : `/reviews/${id}`) + asked
  return {
    filter,
    isFiltered: Object.keys(filter).length > 0,
    choose: (name: keyof Filter, value: string) =>
      setSearch((before) => {
        const after = new URLSearchParams(before)
        if (value === '') after.delete(name)
        else after.set(name, value)
        return after
      }),
    /** The address of a case, or of the queue. */
    pathOf,
    open: (id?: string) => navigate(pathOf(id)),
  }
}
