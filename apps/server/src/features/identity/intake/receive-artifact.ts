import type { Hmac } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { LIMITS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/api-error'

export const ARTIFACTS = ['front_image', 'back_image', 'liveness_video', 'reference_portrait'] as const
export type ArtifactName = (typeof ARTIFACTS)[number]

/** An unencrypted artifact in a private file. */
export interface ReceivedArtifact {
  name: ArtifactName
  file: string
  bytes: number
  /** Keyed digest of the bytes. */
  fingerprint: Buffer
}

export interface ArtifactSink extends AsyncDisposable {
  /** Applies back-pressure if the disk is slower than the sender. @throws ApiError 413 as soon as the limit is exceeded */
  write(chunk: Uint8Array): Promise<void>
  /** @throws ApiError `missing_artifact` if no bytes arrived */
  end(): Promise<ReceivedArtifact>
}

export const maxBytesOf = (name: ArtifactName): number =>
  name === 'liveness_video' ? LIMITS.videoBytes : LIMITS.imageBytes

/** Writes an artifact to a file as it arrives, chunk by chunk. */
export function receiveArtifact(options: {
  name: ArtifactName
  /** Its name in the request. */
  param: string
  file: string
  fingerprint: Hmac
  /** Waits as long as the account's upload pace requires. */
  pace: (bytes: number) => Promise<void>
}): ArtifactSink {
  const { name, param, file, fingerprint, pace } = options
  const maxBytes = maxBytesOf(name)
  const stream = createWriteStream(file, { flags: 'wx', mode: 0o600 })
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  stream.once('error', failed.reject)
  const closed = new Promise<void>((resolve) => stream.once('close', resolve))
  let bytes = 0
  return {
    async write(chunk) {
      bytes += chunk.length
      if (bytes > maxBytes)
        throw new ApiError('payload_too_large', `${param}: is over ${maxBytes} bytes`, { param })
      fingerprint.update(chunk)
      if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), failed.promise])
      await pace(chunk.length)
    },
    async end() {
      if (bytes === 0) throw new ApiError('missing_artifact', `${param}: is empty`, { param })
      stream.end()
      // If the stream failed earlier, both promises are settled and the first one wins.
      await Promise.race([failed.promise, closed])
      return { name, file, bytes, fingerprint: fingerprint.digest() }
    },
    async [Symbol.asyncDispose]() {
      stream.destroy()
      // Wait, because a pending open could still create the file in a folder that is being removed.
      await closed
    },
  }
}
