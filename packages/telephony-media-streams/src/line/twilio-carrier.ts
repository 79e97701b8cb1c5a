import type { Carrier } from '@vaani/telephony'
import type { TwilioAccount } from '../twilio/account.ts'
import { isAccountSid } from '../twilio/sids.ts'
import type { CarrierSettings } from './line-options.ts'
import { createProviderCarrier, normalizeUrl } from './provider-carrier.ts'

/** Settings of {@link createTwilioCarrier}. */
export interface TwilioCarrierOptions extends CarrierSettings, TwilioAccount {}

/**
 * Creates a carrier that places calls by Twilio's REST API and carries the voice over its Media Streams. Requests, the listener and the media
 * run in a worker thread, which starts at once, to learn whether Twilio answers.
 *
 * @throws TypeError if the account SID or a URL is none
 * @example
 * const carrier = createTwilioCarrier({
 *   name: 'twilio',
 *   accountSid: 'AC…',
 *   authToken,
 *   callerId: '+15017122661',
 *   publicUrl: 'https://voice.example.com',
 *   listen: { address: '127.0.0.1', port: 8090 },
 * })
 */
export function createTwilioCarrier(options: TwilioCarrierOptions): Carrier {
  const { accountSid, authToken, apiKey, apiUrl, ...settings } = options
  // It becomes a part of URLs.
  if (!isAccountSid(accountSid)) throw new TypeError('`accountSid` must be AC and 32 hexadecimal digits')
  return createProviderCarrier(settings, {
    provider: 'twilio',
    accountSid,
    authToken,
    ...(apiKey && { apiKey }),
    ...(apiUrl !== undefined && { apiUrl: normalizeUrl(apiUrl) }),
  })
}
