import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Principal } from '@vaani/service-kit/http/principal'
import { describeState, type LicenseClaims, type LicenseState } from '../rules/license.ts'

const SEAT_RETRY_SECONDS = 5

/**
 * Limits a caller to what the license of the server permits.
 *
 * @throws ApiError `forbidden` if the license permits nothing, or not the mode; `service_unavailable` without a seat
 */
export function limitByLicense(options: {
  principal: Principal
  claims: LicenseClaims
  models: ReadonlySet<string>
  state: LicenseState
  hasSeat: boolean
}): Principal {
  const { principal, claims, models, state, hasSeat } = options
  if (state === 'expired' || state === 'revoked') {
    const message = describeState(state, claims) ?? ''
    throw new ApiError('forbidden', message, {
      details: [{ param: null, message, reason: `license_${state}` }],
    })
  }
  if (principal.livemode && !claims.livemode)
    throw new ApiError('forbidden', 'The license of this server is for test mode only')
  if (!hasSeat)
    throw new ApiError(
      'service_unavailable',
      'All seats of the license are taken by other servers; this one takes over when one of them stops',
      { retryAfterSeconds: SEAT_RETRY_SECONDS },
    )
  return { ...principal, models }
}
