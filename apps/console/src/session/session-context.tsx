import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Loading } from '../parts/loading.tsx'
import { isSignedOut, readSession, type Session, signIn, signOut } from './session.ts'
import { SignIn } from './sign-in.tsx'

interface SessionState {
  session: Session
  /** Ends the session, here or wherever its key is signed in, and forgets everything that was read. */
  leave(options: { everywhere: boolean }): Promise<void>
}

const Context = createContext<SessionState | null>(null)

/** Returns the session. Only within `SessionGate`. */
export function useSession(): SessionState {
  const state = useContext(Context)
  if (state === null) throw new Error('There is no session')
  return state
}

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
  useEffect(() => {
    const link = takeLink()
    const found = link === null ? readSession() : signIn({ link })
    found.then(setSession, (error: Error) => {
      setProblem(error.message)
      setSession(null)
    })
  }, [])
  if (session === 'unknown') return <Loading />
  if (session === null)
    return (
      <SignIn
        problem={problem}
        onSignedIn={(started) => {
          setProblem(null)
          setSession(started)
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
    <Context value={state}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </Context>
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
