import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { BlobStore } from '@vaani/service-kit/blobs/blob-store'
import { readChunks } from '@vaani/service-kit/blobs/read-chunks'
import { createSealedBlobs } from '@vaani/service-kit/blobs/sealed-blobs'

/** Stores the files of documents as encrypted blobs, until their pages are read. */
export interface DocumentUploads {
  keep(documentId: string, options: { file: string; bytes: number; key: Buffer }): Promise<void>
  /** Decrypts the file of a document. */
  unpack(documentId: string, options: { file: string; key: Buffer }): Promise<void>
  /** Idempotent. */
  remove(documentId: string): Promise<void>
}

const placeOf = (documentId: string): string => `documents/${documentId}`

export function createDocumentUploads(blobs: BlobStore): DocumentUploads {
  const sealedBlobs = createSealedBlobs(blobs)
  return {
    keep: (documentId, { file, bytes, key }) =>
      sealedBlobs.put(readChunks(file), { key, place: placeOf(documentId) }, { maxBytes: bytes }),
    async unpack(documentId, { file, key }) {
      const { stream } = await sealedBlobs.open({ key, place: placeOf(documentId) })
      await pipeline(stream, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    },
    remove: (documentId) => blobs.delete(placeOf(documentId)),
  }
}
