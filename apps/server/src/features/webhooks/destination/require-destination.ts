import { ApiError } from '@vaani/service-kit/http/api-error'
import type { AllowedRanges } from './address-ranges.ts'
import { checkDestination, type DestinationRefusal } from './guard-url.ts'

const MESSAGES: Readonly<Record<DestinationRefusal, string>> = {
  url_invalid: 'must be a URL',
  scheme_not_allowed: 'must be https',
  credentials_not_allowed: 'must have no credentials',
  port_not_allowed: 'must not have the port of another protocol',
  host_not_allowed: 'must not name a host inside a network',
  address_not_allowed: 'must lead to a public address',
}

/** @throws ApiError where no webhook may be sent there. Each attempt checks again, on the address that it dials. */
export async function requireDestination(url: string, param: string, allowed: AllowedRanges): Promise<void> {
  const verdict = await checkDestination(url, { allowed })
  if (!verdict.ok) throw new ApiError('invalid_request', `${param}: ${MESSAGES[verdict.reason]}`, { param })
}
