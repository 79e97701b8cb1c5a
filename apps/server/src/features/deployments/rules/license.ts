import { z } from 'zod'

const DAY_SECONDS = 86_400
/** Days before the expiry in which a server warns. */
const WARNING_DAYS = 30
/** Days after the expiry in which a server still answers. */
const GRACE_DAYS = 14
export const GRACE_MS = GRACE_DAYS * DAY_SECONDS * 1000

/** Claims of a license. Times are in seconds since the epoch (RFC 7519). */
export const licenseClaimsSchema = z.object({
  /** Id of the deployment. */
  jti: z.string().min(1).max(100),
  iat: z.int().min(0),
  exp: z.int().min(0),
  name: z.string().max(100),
  livemode: z.boolean(),
  models: z.array(z.string().max(200)).min(1).max(100),
  seats: z.int().min(1),
})
export type LicenseClaims = z.output<typeof licenseClaimsSchema>

/** Claims of a revocation list. */
export const revocationClaimsSchema = z.object({ iat: z.int().min(0), revoked: z.array(z.string().max(100)) })
export type RevocationClaims = z.output<typeof revocationClaimsSchema>

const LICENSE_STATES = ['valid', 'expiring', 'grace', 'expired', 'revoked'] as const
export type LicenseState = (typeof LICENSE_STATES)[number]

/** Judges a license. All states but `expired` and `revoked` permit requests. */
export function judgeLicense(options: {
  claims: Pick<LicenseClaims, 'jti' | 'exp'>
  revocations: Pick<RevocationClaims, 'revoked'> | null
  nowMs: number
}): LicenseState {
  const { claims, revocations, nowMs } = options
  if (revocations?.revoked.includes(claims.jti)) return 'revoked'
  const daysLeft = (claims.exp - nowMs / 1000) / DAY_SECONDS
  if (daysLeft > WARNING_DAYS) return 'valid'
  if (daysLeft > 0) return 'expiring'
  return daysLeft > -GRACE_DAYS ? 'grace' : 'expired'
}

/** Message for people, if there is something to do about a license. */
export function describeState(state: LicenseState, { exp }: Pick<LicenseClaims, 'exp'>): string | null {
  const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)
  const refusesFrom = day(exp + GRACE_DAYS * DAY_SECONDS)
  switch (state) {
    case 'valid':
      return null
    case 'expiring':
      return `The license of this server expires on ${day(exp)}; it refuses requests from ${refusesFrom}`
    case 'grace':
      return `The license of this server expired on ${day(exp)}; it refuses requests from ${refusesFrom}`
    case 'expired':
      return `The license of this server expired on ${day(exp)}`
    case 'revoked':
      return 'The license of this server is revoked'
  }
}
