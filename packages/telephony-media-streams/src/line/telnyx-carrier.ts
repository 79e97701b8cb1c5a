import type { Carrier } from '@vaani/telephony'
import type { TelnyxAccount } from '../telnyx/account.ts'
import { isAccountId, isApplicationId } from '../telnyx/ids.ts'
import { readPublicKey } from '../telnyx/signature.ts'
import type { CarrierSettings } from './line-options.ts'
import { createProviderCarrier, normalizeUrl } from './provider-carrier.ts'

/** Settings of {@link createTelnyxCarrier}. */
export interface TelnyxCarrierOptions extends CarrierSettings, TelnyxAccount {}

/**
 * Creates a carrier that places calls by Telnyx's TeXML API and carries the voice over its media streaming. Requests, the listener and the media
 * run in a worker thread, which starts at once, to learn whether Telnyx answers.
 *
 * @throws TypeError if an id, the public key or a URL is none
 * @example
 * const carrier = createTelnyxCarrier({
 *   name: 'telnyx',
 *   accountSid: '61bf923e-5e4d-4595-a110-56190ea18a1b',
 *   applicationSid: '1293384261075731499',
 *   apiKey,
 *   publicKey,
 *   callerId: '+13122010055',
 *   publicUrl: 'https://voice.example.com',
 *   listen: { address: '127.0.0.1', port: 8090 },
 * })
 */
export function createTelnyxCarrier(options: TelnyxCarrierOptions): Carrier {
  const { accountSid, applicationSid, apiKey, publicKey, apiUrl, ...settings } = options
  // It becomes a part of URLs.
  if (!isAccountId(accountSid)) throw new TypeError('`accountSid` must be the id of an account')
  if (!isApplicationId(applicationSid)) throw new TypeError('`applicationSid` must be a number')
  readPublicKey(publicKey)
  return createProviderCarrier(settings, {
    provider: 'telnyx',
    accountSid,
    applicationSid,
    apiKey,
    publicKey,
    ...(apiUrl !== undefined && { apiUrl: normalizeUrl(apiUrl) }),
  })
}
