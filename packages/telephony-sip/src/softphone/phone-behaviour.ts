import { LOOPBACK_TEST_NUMBERS } from '@vaani/telephony'
import type { PhoneBehaviour } from '@vaani/telephony'

const behaviours = new Map<string, PhoneBehaviour>(
  Object.values(LOOPBACK_TEST_NUMBERS).map(({ number, behaviour }) => [number, behaviour]),
)

/** Returns the behaviour at a number: that of `LOOPBACK_TEST_NUMBERS`; at any other number, the phone answers and listens. */
export const behaviourAt = (number: string | undefined): PhoneBehaviour =>
  (number === undefined ? undefined : behaviours.get(number)) ?? {}
