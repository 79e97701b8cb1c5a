import { ApiError, type Fetch, Vaani } from '@vaani/client'

/** Whom the console acts for. */
export interface Session {
  readonly account_id: string
  readonly key_id: string
  readonly livemode: boolean
  readonly operator: boolean
  readonly tier: string
  readonly scopes: readonly string[]
}

/** Marks requests as made by a page of the server; no form can send it. */
const MARK = { 'x-vaani-console': '1' }

/** Sends the cookie of the session instead of the key, which no page has. */
const withCookie: Fetch = (url, init) => {
  const headers = new Headers(init.headers)
  headers.delete('authorization')
  return fetch(url, { ...init, headers, credentials: 'same-origin' })
}

/** The client of every page. */
export const vaani = new Vaani({
  apiKey: 'in-the-cookie',
  baseUrl: `${location.origin}/console/api`,
  headers: MARK,
  fetch: withCookie,
})

/** A refusal of the session's own routes. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
}

async function send<Answer>(method: string, body?: object, query = ''): Promise<Answer> {
  const response = await fetch(`/console/session${query}`, {
    method,
    headers: { ...MARK, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (response.ok) return response.json()
  const { error } = await response.json().catch(() => ({ error: null }))
  throw new SignInError(error?.message ?? `The server answered ${response.status}`)
}

/** Reads the session; null if there is none. @throws SignInError */
export async function readSession(): Promise<Session | null> {
  const { session } = await send<{ session: Session | null }>('GET')
  return session
}

/** Exchanges a key, or the secret of a link, for a session. @throws SignInError */
export const signIn = (by: { key: string } | { link: string }): Promise<Session> => send('POST', by)

/** Ends this session, or all that stand for the same key. @throws SignInError */
export async function signOut({ everywhere }: { everywhere: boolean }): Promise<void> {
  await send('DELETE', undefined, everywhere ? '?everywhere=true' : '')
}

/** Whether an error means that the session has ended. */
export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401
