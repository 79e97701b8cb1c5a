import { type FileHandle, open } from 'node:fs/promises'
import type { MediaSource } from '@vaani/client'
import type { MemoryBudget } from '../gateway/sampling/memory-budget.ts'

/** Media that is sent to the primary, and then once more. */
export interface MediaCopy {
  /** What to send to the primary: the source itself, or a stream that is copied while the client reads it. */
  readonly source: MediaSource
  /** Reads the copy. @throws UncopiedError */
  read(): AsyncIterable<Uint8Array>
  /** Frees its memory and closes its file. Idempotent. */
  release(): void
}

const UNCOPIED = ['too_large', 'unreadable'] as const

/** Media of which there is no whole copy. */
export class UncopiedError extends Error {
  override readonly name = 'UncopiedError'
  readonly code: (typeof UNCOPIED)[number]

  constructor(code: (typeof UNCOPIED)[number]) {
    super(code)
    this.code = code
  }
}

/** Copies what can change or be read only once. Files stay open, so they may be deleted; blobs are read again. */
export function copyMedia(source: MediaSource, memory: MemoryBudget): MediaCopy {
  if (source instanceof Blob) return { source, read: () => source.stream(), release: () => undefined }
  if (typeof source === 'string') return { source, ...keepOpen(source) }
  const copy = collect(memory)
  if ('getReader' in source) {
    const watched = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        copy.add(chunk)
        controller.enqueue(chunk)
      },
      flush: copy.end,
    })
    return { source: source.pipeThrough(watched), ...copy }
  }
  if (Symbol.asyncIterator in source) return { source: follow(source, copy), ...copy }
  copy.add(source instanceof ArrayBuffer ? new Uint8Array(source) : source)
  copy.end()
  return { source, ...copy }
}

function keepOpen(path: string): Omit<MediaCopy, 'source'> {
  const opened = openNow(path)
  // The client reports the same failure to the caller.
  opened.catch(() => undefined)
  return {
    async *read() {
      const { file, version } = await opened
      if ((await versionOf(file)) !== version) throw new UncopiedError('unreadable')
      yield* file.createReadStream({ start: 0, autoClose: false })
    },
    release: () => void opened.then(({ file }) => file.close()).catch(() => undefined),
  }
}

async function openNow(path: string): Promise<{ file: FileHandle; version: string }> {
  const file = await open(path)
  try {
    return { file, version: await versionOf(file) }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function versionOf(file: FileHandle): Promise<string> {
  const { size, mtimeMs } = await file.stat()
  return `${size} ${mtimeMs}`
}

interface Collected extends Omit<MediaCopy, 'source'> {
  add(chunk: Uint8Array): void
  /** Called after the last chunk. */
  end(): void
}

function collect(memory: MemoryBudget): Collected {
  let chunks: Uint8Array[] = []
  let bytes = 0
  let state: 'incomplete' | 'whole' | 'too large' | 'released' = 'incomplete'
  const free = (): void => {
    memory.give(bytes)
    chunks = []
    bytes = 0
  }
  return {
    add(chunk) {
      if (state !== 'incomplete') return
      if (memory.take(chunk.byteLength)) {
        bytes += chunk.byteLength
        // The source may use the memory of a chunk again.
        chunks.push(new Uint8Array(chunk))
        return
      }
      state = 'too large'
      free()
    },
    end() {
      if (state === 'incomplete') state = 'whole'
    },
    async *read() {
      if (state !== 'whole') throw new UncopiedError(state === 'too large' ? 'too_large' : 'unreadable')
      yield* chunks
    },
    release() {
      if (state === 'released') return
      state = 'released'
      free()
    },
  }
}

async function* follow(source: AsyncIterable<Uint8Array>, copy: Collected): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    copy.add(chunk)
    yield chunk
  }
  copy.end()
}
