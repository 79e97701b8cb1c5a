/** Computes a checksum without inversions, as FLAC has them (RFC 9639, sections 9.1.8 and 9.3). */
const checksum = (bits: 8 | 16, polynomial: number) => {
  const top = 2 ** (bits - 1)
  const mask = 2 ** bits - 1
  const table = Uint16Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << (bits - 8)
    for (let bit = 0; bit < 8; bit++) crc = crc & top ? (crc << 1) ^ polynomial : crc << 1
    return crc & mask
  })
  return (bytes: Uint8Array): number => {
    let crc = 0
    for (const byte of bytes) crc = ((crc << 8) & mask) ^ (table[(crc >>> (bits - 8)) ^ byte] ?? 0)
    return crc
  }
}

export const crc8: (bytes: Uint8Array) => number = /* @__PURE__ */ checksum(8, 0x07)
export const crc16: (bytes: Uint8Array) => number = /* @__PURE__ */ checksum(16, 0x80_05)
