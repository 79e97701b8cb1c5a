import type { BlobStore } from '@vaani/service-kit/blobs/blob-store'
import { createSealedBlobs } from '@vaani/service-kit/blobs/sealed-blobs'
import { openBytes, sealBytes } from '@vaani/service-kit/vault/sealed-bytes'
import type { BatchStore, StoredResult } from '../store.ts'

/** Stores the lines of results: short ones in their rows, long ones as encrypted blobs. */
export interface ResultStore {
  /** Seals a line for its row; returns null for a long one, after storing it as a blob. */
  keep(batchId: string, position: number, options: { line: Buffer; key: Buffer }): Promise<Buffer | null>
  /** Reads the results of a batch so far, in the order in which they ended. */
  read(batchId: string, key: Buffer): AsyncGenerator<Uint8Array>
  /** Deletes a batch and its results. */
  delete(batchId: string): Promise<void>
}

/** Rows of this size still fit into a statement of many. */
const MAX_ROW_BYTES = 65_536
const PAGE = { rows: 512, bytes: 1_048_576 }
const CHUNK_BYTES = 65_536
const BLOBS_AT_ONCE = 1000

const placeOf = (batchId: string, position: number): string => `batches/${batchId}/${position}`

export function createResultStore({ blobs, store }: { blobs: BlobStore; store: BatchStore }): ResultStore {
  const sealedBlobs = createSealedBlobs(blobs)

  /** Puts short lines together, because each chunk costs the response a write. */
  async function* readRows(batchId: string, key: Buffer, rows: readonly StoredResult[]) {
    let lines: Buffer[] = []
    let bytes = 0
    for (const { position, result } of rows) {
      const seal = { key, place: placeOf(batchId, position) }
      if (result !== null) {
        const line = openBytes(result, seal)
        lines.push(line)
        bytes += line.length
        if (bytes < CHUNK_BYTES) continue
      }
      if (lines.length > 0) yield Buffer.concat(lines)
      lines = []
      bytes = 0
      if (result === null) yield* (await sealedBlobs.open(seal)).stream
    }
    if (lines.length > 0) yield Buffer.concat(lines)
  }

  return {
    async keep(batchId, position, { line, key }) {
      const seal = { key, place: placeOf(batchId, position) }
      if (line.length <= MAX_ROW_BYTES) return sealBytes(line, seal)
      await sealedBlobs.put(chunksOf(line), seal, { maxBytes: line.length })
      return null
    },
    async *read(batchId, key) {
      let after = '0'
      for (let isFull = true; isFull;) {
        const rows = await store.results(batchId, after, PAGE)
        yield* readRows(batchId, key, rows)
        after = rows.at(-1)?.ended_sequence ?? after
        isFull =
          rows.length === PAGE.rows ||
          rows.reduce((sum, { result }) => sum + (result?.length ?? 0), 0) >= PAGE.bytes
      }
    },
    async delete(batchId) {
      let after = -1
      for (let found = BLOBS_AT_ONCE; found === BLOBS_AT_ONCE;) {
        const positions = await store.listBlobs(batchId, after, BLOBS_AT_ONCE)
        for (const position of positions) {
          await blobs.delete(placeOf(batchId, position))
          after = position
        }
        found = positions.length
      }
      await store.delete(batchId)
    },
  }
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
