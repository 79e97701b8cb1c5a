/**
 * Decodes base64 (RFC 4648, section 4) in pieces, and strictly: no white space, no other alphabet, correct padding, unused
 * bits zero. `Buffer.from` alone does not check any of these.
 */
export interface Base64Decoder {
  /** @throws Base64Error */
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

export function createBase64Decoder(): Base64Decoder {
  let rest = Buffer.alloc(0)
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
      const group = all.toString('latin1', 0, whole)
      const decoded = Buffer.from(group, 'base64')
      // `Buffer.from` skips invalid characters, so check that the result encodes back to the same text.
      if (isPadded || decoded.toString('base64') !== group) throw refuse()
      isPadded = group.endsWith('=')
      return decoded
    },
    end() {
      if (rest.length > 0) throw refuse()
    },
  }
}
