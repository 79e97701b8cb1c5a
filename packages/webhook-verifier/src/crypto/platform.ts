/** A body as it came over the wire. A string stands for its UTF-8 bytes. */
export type RawBody = string | ArrayBufferView | ArrayBuffer

/** One that no other thread can change between its check and its parsing. */
export type UnsharedBody = string | ArrayBufferView<ArrayBuffer> | ArrayBuffer

export type Encoding = 'hex' | 'base64'

/**
 * Tells the HMAC-SHA256 of a prefix followed by a body, under a key that was prepared once: 32 characters, one a byte.
 * Not a `Buffer`, as Node takes as long to make one as for half a kilobyte of body.
 */
export type ComputeMac = (prefix: string, body: UnsharedBody) => string | Promise<string>

/** The bytes of a body, without a copy. */
export function viewBytes(body: Exclude<UnsharedBody, string>): Uint8Array<ArrayBuffer> {
  return ArrayBuffer.isView(body)
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array(body)
}
