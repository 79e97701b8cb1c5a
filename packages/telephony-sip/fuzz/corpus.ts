import { INVALID_TORTURE } from '../test/messages/invalid-torture.ts'
import { TRACES } from '../test/messages/traces.ts'
import { VALID_TORTURE } from '../test/messages/valid-torture.ts'

/** Messages to spoil. Traces come twice: they are what a trunk sends. */
const CORPUS: readonly Uint8Array[] = [
  ...Object.values(TRACES),
  ...Object.values(TRACES),
  ...Object.values(VALID_TORTURE),
  ...Object.values(INVALID_TORTURE).map(({ bytes }) => bytes),
]

/** Draws one message. @param random gives numbers from 0 to 1 */
export const drawMessage = (random: () => number): Uint8Array =>
  CORPUS[Math.floor(random() * CORPUS.length)] ?? new Uint8Array()
