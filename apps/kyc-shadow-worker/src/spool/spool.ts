import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { LIMITS } from '@vaani/contracts'
import { BlobError, type BlobStore } from '@vaani/service-kit/blobs/blob-store'
import { createSealedBlobs } from '@vaani/service-kit/blobs/sealed-blobs'
import type { Vault } from '@vaani/service-kit/vault/vault'
import { type SpooledMedia, type SpoolEntry, spoolEntrySchema } from './entry.ts'

const FOLDER = 'shadow/spool'
const MEDIA = '.media'
const ENTRY = '.entry'
const MEDIA_KEY_BYTES = 32
/** Media of at most so many bytes is kept in its entry. */
export const INLINE_MAX_BYTES = 262_144
const ENTRY_MAX_BYTES = 16_384 + Math.ceil(INLINE_MAX_BYTES / 3) * 4
/** Two images, a video, and the texts of a form. */
export const MEDIA_MAX_BYTES = 2 * LIMITS.imageBytes + LIMITS.videoBytes + LIMITS.jsonBodyBytes

export interface SpooledFile {
  readonly pairId: string
  readonly kind: 'media' | 'entry'
  readonly bytes: number
}

/**
 * Submissions between the gateway and the worker: encrypted media, and an entry that completes it. Both processes need nothing
 * else of each other, so each works while the other is down.
 */
export interface Spool {
  /** Stores the media of a submission, and returns what `complete` needs. */
  putMedia(pairId: string, source: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<SpooledMedia>
  /** Makes a submission visible. Its media has to be stored already, unless it is in the entry. */
  complete(entry: SpoolEntry): Promise<void>
  /** Lists what is there, in no order: media without an entry belongs to a submission under way, or to a process that died. */
  list(): AsyncIterable<SpooledFile>
  /** @throws BlobError `not_found`; VaultError */
  readEntry(pairId: string): Promise<SpoolEntry>
  /** @throws BlobError `not_found`; VaultError */
  openMedia(entry: Pick<SpoolEntry, 'pairId' | 'media'>): Promise<Readable>
  /** Idempotent. The entry goes first, so that what is left of the media can never be read. */
  remove(pairId: string): Promise<void>
}

const mediaPlace = (pairId: string): string => `${FOLDER}/${pairId}${MEDIA}`
const entryPlace = (pairId: string): string => `${FOLDER}/${pairId}${ENTRY}`

export function openSpool({ blobs, vault }: { blobs: BlobStore; vault: Vault }): Spool {
  const sealed = createSealedBlobs(blobs)
  return {
    async putMedia(pairId, source, signal) {
      const key = randomBytes(MEDIA_KEY_BYTES)
      const chunks = signal === undefined ? source : Readable.from(source, { signal, objectMode: true })
      await sealed.put(chunks, { key, place: mediaPlace(pairId) }, { maxBytes: MEDIA_MAX_BYTES })
      return { kind: 'sealed', key: key.toString('base64') }
    },
    async complete(entry) {
      const bytes = vault.seal(JSON.stringify(entry), entryPlace(entry.pairId))
      await blobs.put(entryPlace(entry.pairId), bytes, { maxBytes: ENTRY_MAX_BYTES })
    },
    async *list() {
      for await (const { key, bytes } of blobs.list(FOLDER)) {
        const name = key.slice(FOLDER.length + 1)
        if (name.endsWith(MEDIA)) yield { pairId: name.slice(0, -MEDIA.length), kind: 'media', bytes }
        else if (name.endsWith(ENTRY)) yield { pairId: name.slice(0, -ENTRY.length), kind: 'entry', bytes }
      }
    },
    async readEntry(pairId) {
      const { stream, bytes } = await blobs.open(entryPlace(pairId))
      if (bytes > ENTRY_MAX_BYTES) {
        stream.destroy()
        throw new BlobError('too_large', 'An entry of the spool is too large')
      }
      const text = vault.open(await buffer(stream), entryPlace(pairId))
      return spoolEntrySchema.parse(JSON.parse(text))
    },
    async openMedia({ pairId, media }) {
      if (media.kind === 'inline') return Readable.from([Buffer.from(media.bytes, 'base64')])
      const seal = { key: Buffer.from(media.key, 'base64'), place: mediaPlace(pairId) }
      return (await sealed.open(seal)).stream
    },
    async remove(pairId) {
      await blobs.delete(entryPlace(pairId))
      await blobs.delete(mediaPlace(pairId))
    },
  }
}
