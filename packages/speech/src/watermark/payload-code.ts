/** Payload and its check, CRC-12 with the polynomial of 3GPP TS 25.212 (4.2.1.1). */
const PAYLOAD_BITS = 32
const CHECK_BITS = 12
const CHECK_POLYNOMIAL = 0x80_f
const MESSAGE_BITS = PAYLOAD_BITS + CHECK_BITS
/** The convolutional code of rate 1/3 and constraint length 9 with the largest free distance, 18 (Larsen 1973; also in IS-95). */
const GENERATORS = [0o557, 0o663, 0o711]
const MEMORY = 8
const STATES = 1 << MEMORY
/** Signs that a payload becomes. */
export const CODED_BITS = MESSAGE_BITS * GENERATORS.length

/** Signs that a transition sends: by the last nine bits, the newest lowest. */
const OUTPUTS = Array.from({ length: STATES * 2 }, (_, register) =>
  Int8Array.from(GENERATORS, (generator) => (parity(register & generator) ? 1 : -1)),
)

function parity(word: number): number {
  let bits = word
  for (let shift = 8; shift > 0; shift >>= 1) bits ^= bits >> shift
  return bits & 1
}

function checkOf(payload: number): number {
  let remainder = 0
  for (let bit = PAYLOAD_BITS - 1; bit >= 0; bit--) {
    const top = ((remainder >> (CHECK_BITS - 1)) ^ (payload >>> bit)) & 1
    remainder = (remainder << 1) & ((1 << CHECK_BITS) - 1)
    if (top === 1) remainder ^= CHECK_POLYNOMIAL
  }
  return remainder
}

/** Returns the message's bits: the payload, then its check, both with the highest bit first. */
function messageOf(payload: number): number[] {
  const bits = (word: number, count: number) =>
    Array.from({ length: count }, (_, index) => (word >>> (count - 1 - index)) & 1)
  return [...bits(payload, PAYLOAD_BITS), ...bits(checkOf(payload), CHECK_BITS)]
}

/** Encodes a payload of 32 bits as `CODED_BITS` signs. The encoder starts in the state that it ends in (tail-biting). */
export function encodePayload(payload: number): Int8Array {
  const message = messageOf(payload)
  let register = message.slice(-MEMORY).reduce((word, bit) => (word << 1) | bit, 0)
  return Int8Array.from(
    message.flatMap((bit) => {
      register = ((register << 1) | bit) & (STATES * 2 - 1)
      return [...(OUTPUTS[register] ?? [])]
    }),
  )
}

/** The code is circular, so the decoder goes around it and trusts the lap that no unknown state is near. */
const LAPS = 3
const TRUSTED_LAP = 1

/**
 * Finds the payload whose signs agree best with soft bits, of any scale. It is the most likely one if they have Gaussian noise,
 * except that the decoder goes around the code a few times instead of trying each state for the start (Cox and Sundberg 1994).
 *
 * @param soft - `CODED_BITS` numbers; above 0 if the sign is probably 1
 * @returns undefined if the best message fails its check
 */
export function decodePayload(soft: Float64Array): number | undefined {
  const message = decodeCircular(soft)
  const word = (bits: number[]) => bits.reduce((sum, bit) => sum * 2 + bit, 0)
  const payload = word(message.slice(0, PAYLOAD_BITS))
  return checkOf(payload) === word(message.slice(PAYLOAD_BITS)) ? payload : undefined
}

/** Returns the message's bits on the path with the largest sum of soft bits times signs (Viterbi 1967). */
function decodeCircular(soft: Float64Array): number[] {
  let metrics = new Float64Array(STATES)
  // The bit that the register drops decides between the two states before.
  const dropped = Array.from({ length: LAPS * MESSAGE_BITS }, (_, step) => {
    const at = (step % MESSAGE_BITS) * GENERATORS.length
    const gainOf = (register: number): number => {
      let gain = 0
      for (let bit = 0; bit < GENERATORS.length; bit++)
        gain += (soft[at + bit] ?? 0) * (OUTPUTS[register]?.[bit] ?? 0)
      return gain
    }
    const choices = new Uint8Array(STATES)
    const next = new Float64Array(STATES)
    for (let to = 0; to < STATES; to++) {
      const zero = (metrics[to >> 1] ?? 0) + gainOf(to)
      const one = (metrics[(to >> 1) | (STATES >> 1)] ?? 0) + gainOf(to | STATES)
      choices[to] = one > zero ? 1 : 0
      next[to] = Math.max(zero, one)
    }
    metrics = next
    return choices
  })
  let state = metrics.indexOf(Math.max(...metrics))
  const bits: number[] = []
  for (const choices of dropped.toReversed()) {
    bits.push(state & 1)
    state = (state >> 1) | ((choices[state] ?? 0) << (MEMORY - 1))
  }
  return bits.toReversed().slice(TRUSTED_LAP * MESSAGE_BITS, (TRUSTED_LAP + 1) * MESSAGE_BITS)
}
