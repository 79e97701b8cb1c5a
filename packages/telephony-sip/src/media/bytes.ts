/** Numbers in network byte order. A read beyond the end gives zeros. */

export const readUint16 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)

export const readUint32 = (bytes: Uint8Array, at: number): number =>
  readUint16(bytes, at) * 0x1_00_00 + readUint16(bytes, at + 2)

export function writeUint16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8
  bytes[at + 1] = value
}

export function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  writeUint16(bytes, at, value >>> 16)
  writeUint16(bytes, at + 2, value)
}
