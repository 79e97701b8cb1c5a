/**
 * Decodes base64 (RFC 4648, section 4) in pieces, and strictly: no white space, no other alphabet, correct padding, unused
 * bits zero. `Buffer.from` alone does not check any of these.
 */
export interface Base64Decoder {
  /** Returns bytes that are valid only until the next call, which decodes into the same memory. @throws Base64Error */
  push(text: Buffer): Buffer
  /** @throws Base64Error if the text ends in the middle of a group */
  end(): void
}

export class Base64Error extends Error {
  override readonly name = 'Base64Error'
  /** `data_url` if the text starts like a data URL. */
  readonly code: 'not_base64' | 'data_url'

  constructor(code: Base64Error['code']) {
    super('Not base64')
    this.code = code
  }
}

const DATA_URL = 'data:'
/** Letters of base64url, which `Buffer` accepts too. */
const FOREIGN = ['-', '_'].map((letter) => letter.charCodeAt(0))
const PAD = '='.charCodeAt(0)

export function createBase64Decoder(): Base64Decoder {
  let rest = Buffer.alloc(0)
  /** Used for each piece, because new memory for each would keep the garbage collector busy. */
  let memory = Buffer.alloc(0)
  let head = ''
  let isPadded = false
  const refuse = () => new Base64Error(head === DATA_URL ? 'data_url' : 'not_base64')
  return {
    push(text) {
      if (head.length < DATA_URL.length) head += text.toString('latin1', 0, DATA_URL.length - head.length)
      const all = rest.length === 0 ? text : Buffer.concat([rest, text])
      const whole = all.length - (all.length % 4)
      rest = Buffer.from(all.subarray(whole))
      if (whole === 0) return Buffer.alloc(0)
      if (isPadded) throw refuse()
      isPadded = all[whole - 1] === PAD
      const padding = isPadded ? (all[whole - 2] === PAD ? 2 : 1) : 0
      const length = (whole / 4) * 3 - padding
      if (memory.length < length) memory = Buffer.allocUnsafeSlow(length)
      const groups = all.subarray(0, whole)
      // `Buffer` skips other characters, and ends at padding, so that the result is shorter.
      const written = memory.write(groups.toString('latin1'), 0, 'base64')
      const last = groups.toString('latin1', whole - 4)
      // Only the last group may have unused bits: it must encode back to the same text.
      const isExact = memory.toString('base64', length - (3 - padding), length) === last
      if (written !== length || !isExact || FOREIGN.some((letter) => groups.includes(letter))) throw refuse()
      return memory.subarray(0, length)
    },
    end() {
      if (rest.length > 0) throw refuse()
    },
  }
}
