import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** Waits for a reader that is slow; not beyond the signal. */
export async function write(stream: Writable, data: string | Uint8Array, signal: AbortSignal): Promise<void> {
  if (!stream.write(data)) await once(stream, 'drain', { signal })
}
