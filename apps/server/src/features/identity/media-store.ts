import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { ArtifactName } from '@vaani/contracts'
import type { BlobStore, OpenBlob } from '@vaani/service-kit/blobs/blob-store'
import { readChunks } from '@vaani/service-kit/blobs/read-chunks'
import { createSealedBlobs } from '@vaani/service-kit/blobs/sealed-blobs'
import { openDataKey } from '@vaani/service-kit/vault/data-key'
import type { Vault } from '@vaani/service-kit/vault/vault'
import type { MediaFolder } from './intake/media-folder.ts'
import type { StoredArtifact } from './tables.ts'

/** Key of an artifact in the store. */
export const mediaKey = (verificationId: string, name: string): string => `identity/${verificationId}/${name}`

/** Stores the media of verifications as encrypted blobs, each bound to its key in the store. */
export interface MediaStore {
  /** Stores all files or none. */
  keep(
    artifacts: readonly { name: ArtifactName; file: string; bytes: number }[],
    place: { verificationId: string; key: Buffer },
  ): Promise<StoredArtifact[]>
  /** Decrypts artifacts into a private folder. @throws if one was altered since it was stored */
  unpack(options: {
    verificationId: string
    sealedKey: Buffer
    artifacts: readonly StoredArtifact[]
    folder: MediaFolder
  }): Promise<void>
  /** Opens an artifact. Read the stream to its end or destroy it. @throws BlobError `not_found` */
  open(options: { verificationId: string; sealedKey: Buffer; artifact: StoredArtifact }): Promise<OpenBlob>
  remove(artifacts: readonly Pick<StoredArtifact, 'key'>[]): Promise<void>
}

export function createMediaStore({ blobs, vault }: { blobs: BlobStore; vault: Vault }): MediaStore {
  const sealedBlobs = createSealedBlobs(blobs)
  return {
    async keep(artifacts, { verificationId, key }) {
      const keeping = artifacts.map(async ({ name, file, bytes }) => {
        const place = mediaKey(verificationId, name)
        await sealedBlobs.put(readChunks(file), { key, place }, { maxBytes: bytes })
        return { name, key: place, bytes }
      })
      const results = await Promise.allSettled(keeping)
      if (results.some(({ status }) => status === 'rejected'))
        for (const { name } of artifacts) await blobs.delete(mediaKey(verificationId, name))
      return Promise.all(keeping)
    },
    async unpack({ verificationId, sealedKey, artifacts, folder }) {
      const key = openDataKey(vault, verificationId, sealedKey)
      for (const { name, key: place } of artifacts) {
        const { stream } = await sealedBlobs.open({ key, place })
        await pipeline(stream, createWriteStream(folder.file(name), { flags: 'wx', mode: 0o600 }))
      }
    },
    open: ({ verificationId, sealedKey, artifact }) =>
      sealedBlobs.open({ key: openDataKey(vault, verificationId, sealedKey), place: artifact.key }),
    async remove(artifacts) {
      for (const { key } of artifacts) await blobs.delete(key)
    },
  }
}
