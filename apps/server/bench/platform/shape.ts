/** Chunks of a stream, and the time between them: a fast model. */
export const CHUNKS = 50
export const CHUNK_MS = 20
