import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { AllowedRanges } from './address-ranges.ts'
import { checkDestination, type DestinationRefusal } from './guard-url.ts'

const MESSAGES: Readonly<Record<DestinationRefusal, string>> = {
  url_invalid: 'must be a URL',
  scheme_not_allowed: 'must be https',
  credentials_not_allowed: 'must have no credentials',
  port_not_allowed: 'must not use a port of another protocol',
  host_not_allowed: 'must not name a host on an internal network',
  address_not_allowed: 'must resolve to a public address',
}

/** @throws ApiError if no webhook may be sent to the URL. Each attempt checks again, on the address that it dials. */
export async function requireDestination(url: string, param: string, allowed: AllowedRanges): Promise<void> {
  const verdict = await checkDestination(url, { allowed })
  if (!verdict.ok) throw new ApiError('invalid_request', `${param}: ${MESSAGES[verdict.reason]}`, { param })
}
