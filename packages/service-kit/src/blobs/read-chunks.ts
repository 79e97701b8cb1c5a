import { createReadStream } from 'node:fs'

/** Opens the file only when its chunks are read, because an error of an unread stream would end the process. */
export async function* readChunks(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file)
}
