import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Loading } from '../parts/loading.tsx'
import { isSignedOut, readSession, type Session, signIn, signOut } from '../session/session.ts'
import { SessionContext, type SessionState } from '../session/session-context.ts'
import { SignIn } from './sign-in.tsx'

/** Takes the secret of a link out of the address, so that it is in no history. */
function takeLink(): string | null {
  const link = /^#link=([\w-]+)$/.exec(location.hash)?.[1] ?? null
  if (link !== null) history.replaceState(null, '', location.pathname + location.search)
  return link
}

/** Shows its children once somebody is signed in. The address stays, so links to a page survive signing in. */
export function SessionGate({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<Session | null | 'unknown'>('unknown')
  const [problem, setProblem] = useState<string | null>(null)
  const [queries] = useState(() => createQueries(() => setSession(null)))
  const lastKey = useRef<string>(undefined)
  // What was read and begun waits for the same key after its session ended, and for no other.
  const begin = useCallback(
    (started: Session | null) => {
      if (lastKey.current !== started?.key_id) queries.clear()
      lastKey.current = started?.key_id
      setSession(started)
    },
    [queries],
  )
  useEffect(() => {
    const link = takeLink()
    const found = link === null ? readSession() : signIn({ link })
    found.then(begin, (error: Error) => {
      setProblem(error.message)
      setSession(null)
    })
  }, [begin])
  if (session === 'unknown') return <Loading />
  if (session === null)
    return (
      <SignIn
        problem={problem}
        onSignedIn={(started) => {
          setProblem(null)
          begin(started)
        }}
      />
    )
  const state: SessionState = {
    session,
    async leave(options) {
      await signOut(options)
      queries.clear()
      setSession(null)
    },
  }
  return (
    <SessionContext value={state}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </SessionContext>
  )
}

const createQueries = (onSignedOut: () => void): QueryClient => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 2000 } } })
  const leaveIfSignedOut = (error: unknown): void => {
    if (!isSignedOut(error)) return
    onSignedOut()
  }
  queries.getQueryCache().config.onError = leaveIfSignedOut
  queries.getMutationCache().config.onError = leaveIfSignedOut
  return queries
}
