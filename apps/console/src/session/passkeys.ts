import { beginToAsk, beginToMake, type Session, signIn } from './session.ts'

const IP_ADDRESS = /^(?:[\d.]+|\[.+\])$/
const LOOPBACK = /^(?:127\.[\d.]+|\[::1\])$/

const here = new URL(location.origin)

/** Whether a passkey can be made and used on this page: only at a host with a name, and only at https or on `localhost`. */
export const hasPasskeys = 'PublicKeyCredential' in globalThis && !IP_ADDRESS.test(here.hostname)

/** Where the console is open to passkeys: at the address of this machine, it is by name. */
export const passkeyOrigin = LOOPBACK.test(here.hostname)
  ? `${here.protocol}//localhost${here.port && `:${here.port}`}`
  : here.origin

/** Whether this page has passkeys, or the same at `passkeyOrigin` has. */
export const hasPasskeysByName = hasPasskeys || passkeyOrigin !== here.origin

/** What the browser needs for passkeys, loaded when the first is used. */
const load = () => import('@simplewebauthn/browser')

/** Signs in by a passkey of this device. @throws SignInError; an error of the browser */
export async function signInByPasskey(): Promise<Session> {
  const { startAuthentication } = await load()
  const { ask } = await beginToAsk()
  return signIn({ passkey: await startAuthentication({ optionsJSON: ask }) })
}

/** Makes a passkey for an invitation, and signs in. @throws SignInError; an error of the browser */
export async function joinByPasskey(invitation: string): Promise<Session> {
  const { startRegistration } = await load()
  // Begun anew, because what the server allowed at first is over within minutes.
  const { make } = await beginToMake(invitation)
  return signIn({ invitation, made: await startRegistration({ optionsJSON: make }) })
}
