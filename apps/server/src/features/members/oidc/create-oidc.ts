import { hash } from 'node:crypto'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import * as library from 'openid-client'
import { findByOidc, lockMember, updateMemberRow } from '../../../tenancy/member-rows.ts'
import { acceptInvitation, noteSignIn, requireInvited } from '../accept-invitation.ts'
import type { ChallengeStore } from '../challenge-store.ts'
import { type SessionKey, sessionKeyOf } from '../session-key.ts'
import type { OidcSettings } from '../settings.ts'

/** What a browser keeps while somebody signs in at the provider. */
export interface OidcAttempt {
  secret: string
  /** Where the provider sends the browser back to. */
  redirectUri: string
  /** Invitation whose member the person becomes. */
  invitation?: string | undefined
}

/** Signing in at the operator's OpenID provider. */
export interface Oidc {
  /** Begins, and returns where to send the browser. @throws ApiError `unauthorized`, `service_unavailable` */
  begin(redirectUri: string, invitation: string | undefined): Promise<{ url: URL; attempt: OidcAttempt }>
  /** Ends an attempt, once. @param answer the query that the browser came back with. @throws ApiError `unauthorized` */
  finish(attempt: OidcAttempt, answer: URLSearchParams): Promise<SessionKey>
}

/** A value that only the holder of an attempt can know, for one purpose. */
const derive = (purpose: string, secret: string): string =>
  hash('sha256', `${purpose} ${secret}`, 'base64url')

export function createOidc(options: {
  settings: OidcSettings
  database: Db
  clock: Clock
  makeId: IdMaker
  challenges: ChallengeStore
  log: Logger
}): Oidc {
  const { settings, database, clock, makeId, challenges, log } = options
  const provider = rememberProvider(settings)
  return {
    async begin(redirectUri, invitation) {
      if (invitation !== undefined) await requireInvited(database, invitation, clock)
      const configuration = await provider()
      const secret = await challenges.create()
      const url = library.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid',
        state: derive('state', secret),
        nonce: derive('nonce', secret),
        code_challenge: await library.calculatePKCECodeChallenge(derive('verifier', secret)),
        code_challenge_method: 'S256',
      })
      return { url, attempt: { secret, redirectUri, invitation } }
    },
    async finish({ secret, redirectUri, invitation }, answer) {
      if (!(await challenges.take(secret))) throw notSignedIn()
      const { iss, sub } = await claimsOf(await provider(), {
        url: new URL(`?${answer}`, redirectUri),
        secret,
        log,
      })
      return database.transaction().execute(async (tx) => {
        const found = await findByOidc(tx, iss, sub)
        if (invitation !== undefined) {
          if (found !== undefined) throw notSignedIn()
          const member = await acceptInvitation(tx, invitation, { clock, makeId })
          await updateMemberRow(tx, member.member_id, { oidc_issuer: iss, oidc_subject: sub })
          return sessionKeyOf(member)
        }
        const member = found && (await lockMember(tx, found.member_id))
        // Reset or removed in the meantime.
        if (member === undefined || member.oidc_subject !== sub) throw notSignedIn()
        await noteSignIn(tx, member, clock)
        return sessionKeyOf(member)
      })
    },
  }
}

const notSignedIn = (): ApiError =>
  new ApiError('unauthorized', 'The provider names nobody who is a member here, or the sign-in took too long')

/** Checks the provider's answer, and returns who the person is to it. @throws ApiError `unauthorized` */
async function claimsOf(
  configuration: library.Configuration,
  { url, secret, log }: { url: URL; secret: string; log: Logger },
): Promise<{ iss: string; sub: string }> {
  const tokens = await library
    .authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: derive('verifier', secret),
      expectedState: derive('state', secret),
      expectedNonce: derive('nonce', secret),
      idTokenExpected: true,
    })
    .catch((error: unknown) => {
      // The person declined, the answer is forged, or the provider fails. The error itself may hold tokens.
      log.warn({ cause: causeOf(error) }, 'Signing in at the OpenID provider failed')
      throw notSignedIn()
    })
  const claims = tokens.claims()
  if (claims === undefined) throw notSignedIn()
  return claims
}

/** What an error calls itself, without anything that it quotes. */
const causeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.name) : 'unknown'

const PROVIDER_SECONDS = 10

/** Returns a function that discovers the provider when it is first needed, and again after a failure. */
function rememberProvider({ issuer, clientId, clientSecret }: OidcSettings) {
  let found: Promise<library.Configuration> | undefined
  return (): Promise<library.Configuration> => {
    found ??= library
      .discovery(issuer, clientId, clientSecret, undefined, {
        timeout: PROVIDER_SECONDS,
        // Settings allow http on this machine only.
        ...(issuer.protocol === 'http:' && { execute: [library.allowInsecureRequests] }),
      })
      .catch(() => {
        found = undefined
        throw new ApiError('service_unavailable', 'The OpenID provider does not answer', {
          retryAfterSeconds: 5,
        })
      })
    return found
  }
}
