/** Together with the bits of a byte that is not full, they fit into 32. */
const AT_ONCE_BITS = 24

/** Writes numbers of any count of bits, the most significant bit first, to bytes that grow as needed. */
export class BitWriter {
  #bytes: Uint8Array<ArrayBuffer>
  #length = 0
  /** Bits that do not fill a byte yet, fewer than 8. */
  #rest = 0
  #restBits = 0

  constructor(capacityBytes: number) {
    this.#bytes = new Uint8Array(capacityBytes)
  }

  /** Appends the lowest bits of an integer of up to 32 bits, in two's complement if it is negative. */
  write(value: number, bits: number): void {
    if (bits > AT_ONCE_BITS) {
      this.#append(value >>> 16, bits - 16)
      this.#append(value, 16)
    } else this.#append(value, bits)
  }

  /** Appends a number from 0 up by its Rice code: its quotient by 2^parameter as that many zeros and a one, and the rest. */
  writeRice(value: number, parameter: number): void {
    let zeros = value >>> parameter
    for (; zeros + 1 + parameter > AT_ONCE_BITS; zeros -= Math.min(zeros, 8))
      this.#append(0, Math.min(zeros, 8))
    this.#append((1 << parameter) | (value & ((1 << parameter) - 1)), zeros + 1 + parameter)
  }

  /** Fills the last byte with zeros. */
  align(): void {
    if (this.#restBits > 0) this.write(0, 8 - this.#restBits)
  }

  /** The whole bytes so far. Valid until the next write. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length)
  }

  #append(value: number, bits: number): void {
    let pending = (this.#rest << bits) | (value & (2 ** bits - 1))
    let pendingBits = this.#restBits + bits
    if (this.#length + 4 > this.#bytes.length) this.#grow()
    while (pendingBits >= 8) {
      pendingBits -= 8
      this.#bytes[this.#length++] = pending >>> pendingBits
    }
    pending &= (1 << pendingBits) - 1
    this.#rest = pending
    this.#restBits = pendingBits
  }

  #grow(): void {
    const larger = new Uint8Array(2 * this.#bytes.length + 4)
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}
