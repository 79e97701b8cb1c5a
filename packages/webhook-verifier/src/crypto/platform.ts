/** A body as it came over the wire. A string stands for its UTF-8 bytes. */
export type RawBody = string | ArrayBufferView | ArrayBuffer

/** Tells the HMAC-SHA256 of a prefix followed by a body, under a key that was prepared once. */
export type ComputeMac = (prefix: string, body: RawBody) => Uint8Array | Promise<Uint8Array>

export type Encoding = 'hex' | 'base64'

/** The bytes of a body, without a copy. */
export function viewBytes(body: Exclude<RawBody, string>): Uint8Array {
  return ArrayBuffer.isView(body)
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array(body)
}
