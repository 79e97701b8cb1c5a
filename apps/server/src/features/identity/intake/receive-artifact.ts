import type { Hmac } from 'node:crypto'
import { open } from 'node:fs/promises'
import { type ArtifactName, LIMITS, sizeText } from '@vaani/contracts'
import type { SealedUpload } from '@vaani/service-kit/blobs/sealed-blobs'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'

/** An unencrypted artifact in a private file. */
export interface ReceivedArtifact {
  name: ArtifactName
  file: string
  bytes: number
  /** Keyed digest of the bytes. */
  fingerprint: Buffer
}

export interface ArtifactSink extends AsyncDisposable {
  /**
   * Copies the chunk. Applies back-pressure if the disk is slower than the sender.
   *
   * @throws ApiError 413 as soon as the limit is exceeded
   */
  write(chunk: Uint8Array): Promise<void>
  /** @throws ApiError `missing_artifact` if no bytes arrived */
  end(): Promise<ReceivedArtifact>
}

/** Bytes digested, written and sealed at a time. Each write costs a thread switch, whatever its size. */
const BLOCK_BYTES = 524_288

export const maxBytesOf = (name: ArtifactName): number =>
  name === 'liveness_video' ? LIMITS.videoBytes : LIMITS.imageBytes

/** Writes an artifact to a file as it arrives, and digests and seals it in the same pass. */
export function receiveArtifact(options: {
  name: ArtifactName
  /** Its name in the request. */
  param: string
  file: string
  fingerprint: Hmac
  /** Its sealed form, if it is stored as it is sent. */
  sealed: Pick<SealedUpload, 'write'> | null
  /** Waits as long as the account's upload pace requires. */
  pace: (bytes: number) => Promise<void>
}): ArtifactSink {
  const { name, param, file, fingerprint, sealed, pace } = options
  const maxBytes = maxBytesOf(name)
  const opening = open(file, 'wx', 0o600)
  // Reported by the first write.
  opening.catch(() => undefined)
  let bytes = 0
  /** Two in turn, because the last segment of one is sealed with the next. New ones would keep the garbage collector busy. */
  let [block, other] = [Buffer.alloc(0), Buffer.alloc(0)]
  let used = 0

  async function passOn(): Promise<void> {
    const full = block.subarray(0, used)
    used = 0
    ;[block, other] = [other, block]
    fingerprint.update(full)
    await Promise.all([opening.then((handle) => handle.writeFile(full)), sealed?.write(full)])
    await pace(full.length)
  }

  return {
    async write(chunk) {
      bytes += chunk.length
      if (bytes > maxBytes)
        throw new ApiError('payload_too_large', `${param}: is over ${sizeText(maxBytes)}`, { param })
      for (let at = 0; at < chunk.length;) {
        if (block.length === 0) block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
        const piece = chunk.subarray(at, at + BLOCK_BYTES - used)
        block.set(piece, used)
        used += piece.length
        at += piece.length
        if (used === BLOCK_BYTES) await passOn()
      }
    },
    async end() {
      if (bytes === 0) throw new ApiError('missing_artifact', `${param}: is empty`, { param })
      if (used > 0) await passOn()
      await (await opening).close()
      return { name, file, bytes, fingerprint: fingerprint.digest() }
    },
    async [Symbol.asyncDispose]() {
      // Wait, because a pending open could still create the file in a folder that is being removed. The write has reported its error.
      await opening.then((handle) => handle.close()).catch(() => undefined)
    },
  }
}
