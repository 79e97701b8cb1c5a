import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Live } from '../live/live.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageError } from '../text/page-error.ts'
import {
  actFor,
  isSignedOut,
  readSession,
  type Session,
  signIn,
  signOut,
  switchMode,
} from '../session/session.ts'
import { SessionContext, type SessionState } from '../session/session-context.ts'
import { announceSession, onAnotherSession } from '../session/tabs.ts'
import { t } from '../text/text.ts'
import { Invitation } from './invitation.tsx'
import { comeBackFromProvider } from './provider-button.tsx'
import { SignIn } from './sign-in.tsx'

const SECRET = /^#(link|invitation)=([\w-]+)$/

/** Takes the secret of a link or an invitation out of the address, so that it is in no history. */
function takeSecret(): { link?: string; invitation?: string } {
  const [found, name = '', secret] = SECRET.exec(location.hash) ?? []
  if (found === undefined) return {}
  history.replaceState(null, '', location.pathname + location.search)
  return { [name]: secret }
}

type State =
  | { is: 'loading' }
  | { is: 'invited'; invitation: string }
  | { is: 'signed_out'; problem: Error | null }
  | { is: 'signed_in'; session: Session; queries: QueryClient }

/** Asked for while the page is still being made, unless somebody comes to sign in. */
let asked = SECRET.test(location.hash) ? null : readSession()
// If it fails, the page says so once it is there.
asked?.catch(() => undefined)

const LOADING: State = { is: 'loading' }
const SIGNED_OUT: State = { is: 'signed_out', problem: null }

/** Shows its children once somebody is signed in. The address stays, so links to a page survive signing in. */
export function SessionGate({ children }: { children: ReactNode }) {
  const [state, setState] = useState<State>(LOADING)
  // What was read and begun waits for the same key after its session ended, and for no other.
  const kept = useRef<{ keyId: string; queries: QueryClient }>(null)
  const begin = useCallback((session: Session | null) => {
    if (session === null) return setState(SIGNED_OUT)
    actFor(session)
    if (kept.current?.keyId !== session.key_id) {
      kept.current?.queries.clear()
      const queries = createQueries(() =>
        // What an earlier session asked may be refused after another has begun.
        setState((now) => (now.is === 'signed_in' && now.queries === queries ? SIGNED_OUT : now)),
      )
      kept.current = { keyId: session.key_id, queries }
    }
    setState({ is: 'signed_in', session, queries: kept.current.queries })
  }, [])
  const enter = useCallback(
    (session: Session) => {
      begin(session)
      announceSession()
    },
    [begin],
  )
  const fail = useCallback((problem: Error) => setState({ is: 'signed_out', problem }), [])
  const resume = useCallback(() => {
    setState(LOADING)
    const reading = asked ?? readSession()
    asked = null
    reading.then(begin, fail)
  }, [begin, fail])
  useEffect(() => {
    const { link, invitation } = takeSecret()
    if (comeBackFromProvider()) setState({ is: 'signed_out', problem: new PageError(t.passkeys.refused) })
    else if (invitation !== undefined) setState({ is: 'invited', invitation })
    else if (link === undefined) resume()
    else signIn({ link }).then(enter, fail)
  }, [enter, fail, resume])
  useEffect(() => {
    const load = () => SECRET.test(location.hash) && location.reload()
    addEventListener('hashchange', load)
    return () => removeEventListener('hashchange', load)
  }, [])
  const isInvited = state.is === 'invited'
  useEffect(() => (isInvited ? undefined : onAnotherSession(resume)), [isInvited, resume])

  if (state.is === 'loading') return <Loading />
  if (state.is === 'invited')
    return <Invitation invitation={state.invitation} onSignedIn={enter} onLeave={resume} />
  if (state.is === 'signed_out') return <SignIn problem={state.problem} onSignedIn={enter} />
  const { session, queries } = state
  const context: SessionState = {
    session,
    async leave(options) {
      await signOut(options)
      queries.clear()
      kept.current = null
      // A person may stand there.
      history.replaceState(null, '')
      begin(null)
      announceSession()
    },
    switchMode: async () => enter(await switchMode(!session.livemode)),
  }
  return (
    <SessionContext value={context}>
      <QueryClientProvider key={session.key_id} client={queries}>
        <Live>{children}</Live>
      </QueryClientProvider>
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
