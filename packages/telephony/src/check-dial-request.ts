import { CarrierError } from './carrier-error.ts'
import type { DialRequest } from './carrier.ts'

const E164 = /^\+[1-9]\d{6,14}$/

/**
 * Refuses a request that no carrier can dial. Authors of carriers call it first in `dial`.
 *
 * @throws CarrierError `invalid_number` or `invalid_limit`; the message never contains the number.
 */
export function checkDialRequest(request: DialRequest): void {
  const { to, fromCallerId, ringTimeoutMs, maxDurationMs } = request
  if (!E164.test(to)) throw new CarrierError('invalid_number', '`to` is not an E.164 number')
  if (fromCallerId !== undefined && !E164.test(fromCallerId)) {
    throw new CarrierError('invalid_number', '`fromCallerId` is not an E.164 number')
  }
  checkLimits({ ringTimeoutMs, maxDurationMs })
}

/** @throws CarrierError `invalid_limit` */
export function checkLimits(limits: Partial<Pick<DialRequest, 'ringTimeoutMs' | 'maxDurationMs'>>): void {
  for (const [name, limitMs] of Object.entries(limits))
    if (!(limitMs > 0)) throw new CarrierError('invalid_limit', `\`${name}\` must be a number above 0`)
}
