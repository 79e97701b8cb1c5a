import { createContext, useContext } from 'react'
import type { Session } from './session.ts'

export interface SessionState {
  session: Session
  /** Ends the session, here or wherever its key is signed in, and forgets everything that was read. */
  leave(options: { everywhere: boolean }): Promise<void>
  /** Goes on in the other mode, and forgets everything that was read in this one. @throws SignInError if the person may not */
  switchMode(): Promise<void>
}

export const SessionContext = createContext<SessionState | null>(null)

/** Returns the session. Only within `SessionGate`. */
export function useSession(): SessionState {
  const state = useContext(SessionContext)
  if (state === null) throw new Error('There is no session')
  return state
}

/** Returns whether the session may do what needs this scope. What it may not is not shown. */
export const useScope = (scope: string): boolean => useSession().session.scopes.includes(scope)
