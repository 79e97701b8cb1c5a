/** Chunks of a stream, and the time between them. */
export const CHUNKS = 30
export const CHUNK_MS = 50
