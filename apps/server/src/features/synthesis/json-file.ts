const BASE64_BYTES = 3
const BASE64_CHARACTERS = 4

/** A body that is sent in chunks. */
export interface ChunkedBody {
  /** Undefined if only its end shows it. */
  bytes: number | undefined
  chunks: AsyncGenerator<Uint8Array, void, undefined>
}

/** Writes a descriptor with its file in `audio_b64` as JSON, while the file arrives, so that it is never in memory as a whole. */
export function jsonFile(descriptor: object, file: ChunkedBody): ChunkedBody {
  const head = Buffer.from(`${JSON.stringify(descriptor).slice(0, -1)},"audio_b64":"`)
  const tail = Buffer.from('"}')
  return {
    bytes:
      file.bytes === undefined
        ? undefined
        : head.length + Math.ceil(file.bytes / BASE64_BYTES) * BASE64_CHARACTERS + tail.length,
    chunks: (async function* () {
      yield head
      yield* base64Chunks(file.chunks)
      yield tail
    })(),
  }
}

/** Encodes whole groups of three bytes, so that the texts of the chunks join to that of the whole. */
async function* base64Chunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let rest: Uint8Array = new Uint8Array(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % BASE64_BYTES)
    rest = bytes.subarray(whole)
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1')
  }
  if (rest.length > 0) yield Buffer.from(Buffer.from(rest).toString('base64'), 'latin1')
}
