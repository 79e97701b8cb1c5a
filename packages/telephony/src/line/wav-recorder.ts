import { open, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { pcm16Bytes, WAV_HEADER_BYTES, wavHeader } from '@vaani/pcm-audio'

/** Writes a WAV file while the call is heard. No method blocks or throws; `finish` reports a failure. */
export interface WavRecorder {
  /** Copies one frame; null is a frame of silence. */
  hear(frame: Int16Array | null): void
  /** Starts writing full chunks to the disk. Called between two frames, so that no frame waits for it. */
  flush(): void
  /** Resolves when everything flushed is on the disk. */
  written(): Promise<void>
  /** Completes the file and renames it to its final path. */
  finish(): Promise<{ readonly failure?: string }>
}

/** Path of a recording until it is complete. */
export const partialPath = (path: string) => `${path}.partial`

const CHUNK_SECONDS = 1
/** Chunks waiting for the disk beyond which the recording fails, to bound memory: 60 s, 2 MB at 16 kHz. */
const LARGEST_BACKLOG_CHUNKS = 60
/** Mode of the file: only its owner may hear a call. */
const OWNER_ONLY = 0o600

/** Returns the system code of an error, or its message. */
const failureOf = (error: unknown) =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error)

/** Starts a mono 16-bit WAV file. */
export function createWavRecorder(options: {
  readonly path: string
  readonly sampleRateHz: number
  readonly frameSamples: number
}): WavRecorder {
  const { path, sampleRateHz, frameSamples } = options
  const chunkSamples = Math.ceil((CHUNK_SECONDS * sampleRateHz) / frameSamples) * frameSamples
  const full: Int16Array[] = []
  let chunk = new Int16Array(chunkSamples)
  let used = 0
  let writtenBytes = 0
  let backlog = 0
  let failure: string | undefined

  const opened = open(partialPath(path), 'w', OWNER_ONLY)
  let work: Promise<unknown> = opened
  const enqueue = (step: (file: FileHandle) => Promise<unknown>) => {
    work = work
      .then(async () => failure ?? (await step(await opened)))
      .catch((error) => (failure ??= failureOf(error)))
  }
  const append = (samples: Int16Array) => {
    const position = WAV_HEADER_BYTES + writtenBytes
    writtenBytes += samples.byteLength
    backlog += 1
    enqueue((file) => writeFully(file, pcm16Bytes(samples), position).finally(() => (backlog -= 1)))
  }
  // Records an error of opening the file at once, even if no frame ever comes.
  enqueue(async () => undefined)

  const flush = () => {
    for (const samples of full.splice(0)) {
      if (backlog >= LARGEST_BACKLOG_CHUNKS) failure ??= 'DISK_TOO_SLOW'
      if (!failure) append(samples)
    }
  }
  return {
    hear(frame) {
      // A new chunk is all zeros, so silence only advances the position.
      if (frame) chunk.set(frame, used)
      used += frameSamples
      if (used < chunkSamples) return
      full.push(chunk)
      chunk = new Int16Array(chunkSamples)
      used = 0
    },
    flush,
    async written() {
      await work
    },
    async finish() {
      if (used > 0) full.push(chunk.subarray(0, used))
      flush()
      enqueue((file) => writeFully(file, wavHeader({ sampleRateHz, dataBytes: writtenBytes }), 0))
      await work
      const closed = await opened.then((file) => file.close()).catch(failureOf)
      const problem = failure ?? closed ?? (await rename(partialPath(path), path).catch(failureOf))
      if (problem === undefined) return {}
      const removal = await rm(partialPath(path), { force: true }).catch(failureOf)
      return { failure: removal === undefined || removal === problem ? problem : `${problem}, ${removal}` }
    },
  }
}

async function writeFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten
  }
}
