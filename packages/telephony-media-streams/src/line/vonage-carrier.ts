import { createPrivateKey } from 'node:crypto'
import type { Carrier } from '@vaani/telephony'
import type { VonageAccount } from '../vonage/account.ts'
import { isApplicationId } from '../vonage/ids.ts'
import type { CarrierSettings } from './line-options.ts'
import { createProviderCarrier, normalizeUrl } from './provider-carrier.ts'

/** Settings of {@link createVonageCarrier}. */
export interface VonageCarrierOptions extends Omit<CarrierSettings, 'takesCalls'>, VonageAccount {}

/**
 * Creates a carrier that places calls by Vonage's Voice API and carries the voice, at 16 kHz, over its WebSocket endpoint. Requests, the listener and
 * the media run in a worker thread, which starts at once, to learn whether Vonage answers.
 *
 * @throws TypeError if the id, the private key or a URL is none
 * @example
 * const carrier = createVonageCarrier({
 *   name: 'vonage',
 *   applicationId: '78d335fa-323d-0114-9c3d-d6f0d48968cf',
 *   privateKey,
 *   signatureSecret,
 *   callerId: '+447700900000',
 *   publicUrl: 'https://voice.example.com',
 *   listen: { address: '127.0.0.1', port: 8090 },
 * })
 */
export function createVonageCarrier(options: VonageCarrierOptions): Carrier {
  const { applicationId, privateKey, signatureSecret, apiUrl, ...settings } = options
  if (!isApplicationId(applicationId)) throw new TypeError('`applicationId` must be the id of an application')
  if (!isPrivateKey(privateKey)) throw new TypeError('`privateKey` must be a private key in PEM')
  return createProviderCarrier(settings, {
    provider: 'vonage',
    applicationId,
    privateKey,
    signatureSecret,
    ...(apiUrl !== undefined && { apiUrl: normalizeUrl(apiUrl) }),
  })
}

function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}
