import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { ArtifactName } from '@vaani/contracts'
import type { BlobStore, OpenBlob } from '@vaani/service-kit/blobs/blob-store'
import { readChunks } from '@vaani/service-kit/blobs/read-chunks'
import { createSealedBlobs, type SealedUpload } from '@vaani/service-kit/blobs/sealed-blobs'
import { drawDataKey, openDataKey } from '@vaani/service-kit/vault/data-key'
import type { Vault } from '@vaani/service-kit/vault/vault'
import type { MediaFolder } from './intake/media-folder.ts'
import type { StoredArtifact } from './tables.ts'

/** The media of one submission, which is stored only when it is kept. Disposing of it gives up what was not. */
export interface NewMedia extends AsyncDisposable {
  /** Key of all its blobs. */
  readonly key: Buffer
  /** Begins an artifact that is stored as it was sent, to seal it while it arrives. */
  begin(name: ArtifactName, options: { maxBytes: number }): SealedUpload
  /** Stores all artifacts or none: those that were begun, and the others from their files. */
  keep(artifacts: readonly { name: ArtifactName; file: string; bytes: number }[]): Promise<StoredArtifact[]>
}

/** Stores the media of verifications as encrypted blobs, each bound to its key in the store. */
export interface MediaStore {
  create(): NewMedia
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
    create() {
      const key = drawDataKey()
      // The verification has no id yet: ids sort by time, and an upload may take minutes.
      const folder = `identity/${randomUUID()}`
      const placeOf = (name: string) => `${folder}/${name}`
      const begun = new Map<string, SealedUpload>()
      return {
        key,
        begin(name, options) {
          const upload = sealedBlobs.begin({ key, place: placeOf(name) }, options)
          begun.set(name, upload)
          return upload
        },
        async keep(artifacts) {
          const keeping = artifacts.map(async ({ name, file, bytes }) => {
            const place = placeOf(name)
            await (begun.get(name)?.keep() ??
              sealedBlobs.put(readChunks(file), { key, place }, { maxBytes: bytes }))
            return { name, key: place, bytes }
          })
          const results = await Promise.allSettled(keeping)
          if (results.some(({ status }) => status === 'rejected'))
            for (const { name } of artifacts) await blobs.delete(placeOf(name))
          return Promise.all(keeping)
        },
        async [Symbol.asyncDispose]() {
          for (const upload of begun.values()) await upload[Symbol.asyncDispose]()
        },
      }
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
