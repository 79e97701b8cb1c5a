/** "expand 32-byte k" as four little-endian words. */
const CONSTANTS = [0x61_70_78_65, 0x33_20_64_6e, 0x79_62_2d_32, 0x6b_20_65_74]
const ROUND_PAIRS = 10

/**
 * Computes the first words of a ChaCha20 key stream (RFC 8439, 2.3 and 2.4), with the block counter starting at 0. It is here
 * because WebCrypto has no synchronous function, and node:crypto does not exist in browsers.
 *
 * @param options.key - 32 bytes
 * @param options.nonce - three words
 * @example
 * chacha20Words({ key: new Uint8Array(32), nonce: [0, 0, 0], count: 1 })[0] // 0xade0b876
 */
export function chacha20Words(options: {
  key: Uint8Array
  nonce: readonly [number, number, number]
  count: number
}): Uint32Array {
  const { key, nonce, count } = options
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength)
  const keyWords = Array.from({ length: 8 }, (_, index) => view.getUint32(index * 4, true))
  const words = new Uint32Array(Math.ceil(count / 16) * 16)
  for (let block = 0; block * 16 < count; block++)
    words.set(chachaBlock(Uint32Array.of(...CONSTANTS, ...keyWords, block, ...nonce)), block * 16)
  return words.subarray(0, count)
}

function chachaBlock(input: Uint32Array): Uint32Array {
  const state = input.slice()
  for (let pair = 0; pair < ROUND_PAIRS; pair++) {
    for (let column = 0; column < 4; column++)
      quarterRound(state, [column, column + 4, column + 8, column + 12])
    for (let column = 0; column < 4; column++)
      quarterRound(state, [column, ((column + 1) % 4) + 4, ((column + 2) % 4) + 8, ((column + 3) % 4) + 12])
  }
  return state.map((word, index) => word + (input[index] ?? 0))
}

type Quarter = readonly [number, number, number, number]

function quarterRound(state: Uint32Array, [a, b, c, d]: Quarter): void {
  const add = (into: number, from: number) => (state[into] = (state[into] ?? 0) + (state[from] ?? 0))
  const mix = (into: number, from: number, bits: number) => {
    const word = (state[into] ?? 0) ^ (state[from] ?? 0)
    state[into] = (word << bits) | (word >>> (32 - bits))
  }
  add(a, b)
  mix(d, a, 16)
  add(c, d)
  mix(b, c, 12)
  add(a, b)
  mix(d, a, 8)
  add(c, d)
  mix(b, c, 7)
}
