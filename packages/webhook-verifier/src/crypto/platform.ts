/** A body as received. A string stands for its UTF-8 bytes. */
export type RawBody = string | ArrayBufferView | ArrayBuffer

/** A raw body that no other thread can change between its verification and its parsing. */
export type UnsharedBody = string | ArrayBufferView<ArrayBuffer> | ArrayBuffer

export type Encoding = 'hex' | 'base64'

/**
 * Computes the HMAC-SHA256 of prefix + body under a prepared key.
 *
 * @returns 32 characters, one per byte; not a `Buffer`, because Node takes as long to make one as to hash half a
 * kilobyte of body
 */
export type ComputeMac = (prefix: string, body: UnsharedBody) => string | Promise<string>

/** Returns the bytes of a body without copying them. */
export function viewBytes(body: Exclude<UnsharedBody, string>): Uint8Array<ArrayBuffer> {
  return ArrayBuffer.isView(body)
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array(body)
}
