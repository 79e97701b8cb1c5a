import { createReadStream } from 'node:fs'

/** Reads a file once somebody asks for its chunks: a stream that nobody reads yet would end the process if it failed. */
export async function* readChunks(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file)
}
