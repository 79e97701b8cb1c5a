import type { Verification } from '@vaani/contracts'
import { until } from '@vaani/test-services/until'

/**
 * Waits until a verification is decided, or the given condition holds. Polls the list, because reads of a single verification count
 * toward its limit.
 *
 * @param get reads a route of the API
 */
export function untilDecided(
  get: (route: string) => Promise<{ data: Verification[] }>,
  verificationId: string,
  condition = ({ status }: Verification): boolean => status !== 'pending',
): Promise<Verification> {
  return until(async () => {
    const { data } = await get('/identity/verifications?limit=100')
    const found = data.find(({ verification_id }) => verification_id === verificationId)
    if (found === undefined) throw new Error('The verification is gone')
    return found
  }, condition)
}
