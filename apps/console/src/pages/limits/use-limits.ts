import { useQuery } from '@tanstack/react-query'
import { vaani } from '../../session/session.ts'
import { rereadMsOf } from './uses.ts'

const POLL_MS = 10_000

/** What the account uses of its limits, read again while somebody watches. */
export const useLimits = () =>
  useQuery({
    queryKey: ['limits'],
    queryFn: ({ signal }) => vaani.limits.retrieve({ signal }),
    refetchInterval: ({ state }) => (state.data ? rereadMsOf(state.data, POLL_MS) : POLL_MS),
  })
