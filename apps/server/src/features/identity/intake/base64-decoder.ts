/**
 * Decodes base64 (RFC 4648, section 4) piece by piece, and takes no other: no white space, no other alphabet, right
 * padding, unused bits zero. `Buffer.from` alone lets all of these pass.
 */
export interface Base64Decoder {
  /** @throws Base64Error */
  push(text: Buffer): Buffer
  /** @throws Base64Error where the text ends within a byte */
  end(): void
}

export class Base64Error extends Error {
  override readonly name = 'Base64Error'
  /** `data_url`: it begins as a data URL does. */
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
      // Only what is written as it would be encoded was read whole.
      if (isPadded || decoded.toString('base64') !== group) throw refuse()
      isPadded = group.endsWith('=')
      return decoded
    },
    end() {
      if (rest.length > 0) throw refuse()
    },
  }
}
