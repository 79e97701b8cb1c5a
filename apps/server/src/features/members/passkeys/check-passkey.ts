import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { ChallengeStore } from '../challenge-store.ts'
import { loadWebAuthn } from './load-web-authn.ts'
import type { PasskeyRow } from './passkey-store.ts'

/** EdDSA, ES256 and RS256, by their numbers in COSE: what devices have. Without this list the library tries what Node calls experimental. */
export const ALGORITHMS = [-8, -7, -257]

export const notAccepted = (): ApiError =>
  new ApiError('unauthorized', 'passkey: belongs to no member here, or took too long', { param: 'passkey' })

/** Checks a passkey that a browser made, and uses its challenge up. @throws ApiError `unauthorized` */
export async function checkMade(
  challenges: ChallengeStore,
  origin: URL,
  made: RegistrationResponseJSON,
): Promise<WebAuthnCredential> {
  const expectedChallenge = await takeChallengeOf(challenges, made)
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const { verified, registrationInfo } = await refuseWrong(() =>
    verifyRegistrationResponse({
      response: made,
      supportedAlgorithmIDs: ALGORITHMS,
      expectedChallenge,
      expectedOrigin: origin.origin,
      expectedRPID: origin.hostname,
    }),
  )
  if (!verified) throw notAccepted()
  return registrationInfo.credential
}

/** Checks the answer of a passkey, uses its challenge up, and returns how often the passkey was used. @throws ApiError `unauthorized` */
export async function checkAnswer(
  challenges: ChallengeStore,
  { origin, answer, passkey }: { origin: URL; answer: AuthenticationResponseJSON; passkey: PasskeyRow },
): Promise<number> {
  const expectedChallenge = await takeChallengeOf(challenges, answer)
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const { verified, authenticationInfo } = await refuseWrong(() =>
    verifyAuthenticationResponse({
      response: answer,
      expectedChallenge,
      expectedOrigin: origin.origin,
      expectedRPID: passkey.host,
      credential: {
        id: answer.id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.uses),
      },
    }),
  )
  if (!verified) throw notAccepted()
  return authenticationInfo.newCounter
}

async function takeChallengeOf(
  challenges: ChallengeStore,
  { response }: RegistrationResponseJSON | AuthenticationResponseJSON,
): Promise<string> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers')
  const { challenge } = await refuseWrong(() => decodeClientDataJSON(response.clientDataJSON))
  if (typeof challenge !== 'string' || !(await challenges.take(challenge))) throw notAccepted()
  return challenge
}

/** Runs a function of the library, which throws plain errors at input that is wrong. */
async function refuseWrong<Result>(run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch {
    throw notAccepted()
  }
}
