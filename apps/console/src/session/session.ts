import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { ApiError, type Fetch, type Member, Vaani } from '@vaani/client'

/** Whom the console acts for. */
export interface Session {
  readonly account_id: string
  readonly key_id: string
  readonly livemode: boolean
  readonly operator: boolean
  /** Whether it may steer a migration of KYC. */
  readonly migration: boolean
  readonly tier: string
  readonly scopes: readonly string[]
  /** The person; null for a session that stands for a key. */
  readonly member: Readonly<Pick<Member, 'member_id' | 'name' | 'role'> & { in_both_modes: boolean }> | null
}

/** Marks requests as made by a page of the server; no form can send it. */
const MARK = 'x-vaani-console'

/** The key for which this tab acts; `1` before it is known. */
let actsFor = '1'

/** Makes this tab act for a session, and for no other that another tab may begin: the server refuses what names another key. */
export const actFor = ({ key_id }: Pick<Session, 'key_id'>): void => void (actsFor = key_id)

/** Sends the cookie of the session instead of the key, which no page has. */
const withCookie: Fetch = (url, init) => {
  const headers = new Headers(init.headers)
  headers.delete('authorization')
  headers.set(MARK, actsFor)
  return fetch(url, { ...init, headers, credentials: 'same-origin' })
}

/** How every client of the pages reaches the server. Its WebSockets offer what stands for the key, of which the server reads nothing. */
export const connection = {
  apiKey: 'in-the-cookie',
  baseUrl: `${location.origin}/console/api`,
  fetch: withCookie,
}

/** The client of every page. */
export const vaani = new Vaani(connection)

/** A refusal of the session's own routes. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
  readonly code: string
  /** What was refused, such as the key. */
  readonly param: string | null

  constructor(message: string, { code, param }: { code: string; param: string | null }) {
    super(message)
    this.code = code
    this.param = param
  }
}

async function send<Answer>(method: string, body?: object, path = '/session'): Promise<Answer> {
  const response = await fetch(`/console${path}`, {
    method,
    headers: { [MARK]: '1', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (response.ok) return response.json()
  const { error } = await response.json().catch(() => ({ error: null }))
  const {
    message = `The server answered ${response.status}`,
    code = 'unrecognized',
    param = null,
  } = error ?? {}
  throw new SignInError(message, { code, param })
}

/** Reads the session; null if there is none. @throws SignInError */
export async function readSession(): Promise<Session | null> {
  const { session } = await send<{ session: Session | null }>('GET')
  return session
}

/** Whether members can sign in at the operator's OpenID provider. @throws SignInError */
export async function hasProvider(): Promise<boolean> {
  const { oidc } = await send<{ oidc: boolean }>('GET')
  return oidc
}

/** Begins to sign in at the provider, and returns where to go. @throws SignInError */
export const beginAtProvider = (invitation?: string): Promise<{ url: string }> =>
  send('POST', { ...(invitation !== undefined && { invitation }) }, '/oidc')

/** What can be exchanged for a session. */
type Credential =
  | { key: string }
  | { link: string }
  | { passkey: AuthenticationResponseJSON }
  | { invitation: string; made: RegistrationResponseJSON }

/** Exchanges a credential for a session. @throws SignInError */
export const signIn = (by: Credential): Promise<Session> => send('POST', by)

/** Begins to sign in by a passkey. @throws SignInError */
export const beginToAsk = (): Promise<{ ask: PublicKeyCredentialRequestOptionsJSON }> =>
  send('POST', {}, '/passkey')

/** Reads whom an open invitation is for, and begins to make their passkey. @throws SignInError */
export const beginToMake = (
  invitation: string,
): Promise<{ name: string; make: PublicKeyCredentialCreationOptionsJSON }> =>
  send('POST', { invitation }, '/passkey')

/** Goes on in the other mode, in a new session. @throws SignInError */
export const switchMode = (livemode: boolean): Promise<Session> => send('POST', { livemode }, '/session/mode')

/** Ends this session, or all that stand for the same key. @throws SignInError */
export async function signOut({ everywhere }: { everywhere: boolean }): Promise<void> {
  await send('DELETE', undefined, everywhere ? '/session?everywhere=true' : '/session')
}

/** Whether an error means that the session has ended. */
export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401
