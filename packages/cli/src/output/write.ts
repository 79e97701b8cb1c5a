import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** Writes data, and waits for a slow reader until the signal is aborted. */
export async function write(stream: Writable, data: string | Uint8Array, signal: AbortSignal): Promise<void> {
  if (!stream.write(data)) await once(stream, 'drain', { signal })
}
