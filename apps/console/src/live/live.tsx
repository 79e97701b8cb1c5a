import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useSession } from '../session/session-context.ts'
import { ALL_CHANGES, changesOf, isTold } from './changes.ts'
import { followEvents } from './follow-events.ts'
import { createRereading } from './reread.ts'

/** How often that is read anyway of which events tell. */
const TOLD_POLL_MS = 60_000

const LiveContext = createContext(false)

/** Keeps what its children show up to date by one stream of events. */
export function Live({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const { key_id: keyId } = useSession().session
  const [isStanding, setStanding] = useState(false)
  useEffect(() => {
    const rereading = createRereading(queries)
    const leave = followEvents({
      keyId,
      onEvent: (hint) => rereading.note(changesOf(hint)),
      onReset: () => rereading.note(ALL_CHANGES),
      onStanding: setStanding,
    })
    return () => {
      leave()
      rereading[Symbol.dispose]()
    }
  }, [queries, keyId])
  return <LiveContext value={isStanding}>{children}</LiveContext>
}

/** Returns how often to read a query again: rarely while a stream of events tells of its changes, and otherwise as often as given. */
export function usePollMs(queryKey: QueryKey, ms: number): number {
  const isStanding = useContext(LiveContext)
  return isStanding && isTold(queryKey) ? TOLD_POLL_MS : ms
}
