/** A body as it came over the wire. A string stands for its UTF-8 bytes. */
export type RawBody = string | ArrayBufferView | ArrayBuffer

/** Tells the HMAC-SHA256 of a prefix followed by a body in base64, under a key that was prepared once. */
export type ComputeMac = (prefix: string, body: RawBody) => string | Promise<string>

/** The bytes of a body, without a copy. */
export function viewBytes(body: Exclude<RawBody, string>): Uint8Array {
  if (body instanceof Uint8Array) return body
  return ArrayBuffer.isView(body)
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array(body)
}
