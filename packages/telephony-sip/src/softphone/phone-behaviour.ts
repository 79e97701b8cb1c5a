import { type PhoneBehaviour, SIMULATOR_NUMBERS } from './simulator-numbers.ts'

const behaviours = new Map<string, PhoneBehaviour>(
  Object.values(SIMULATOR_NUMBERS).map(({ number, behaviour }) => [number, behaviour]),
)

/** Returns the behaviour at a number: that of `SIMULATOR_NUMBERS`; at any other number, the phone answers and listens. */
export const behaviourAt = (number: string | undefined): PhoneBehaviour =>
  (number === undefined ? undefined : behaviours.get(number)) ?? {}
