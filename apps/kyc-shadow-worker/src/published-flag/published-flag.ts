import { buffer } from 'node:stream/consumers'
import { STAGES } from '@vaani/contracts/migration'
import { BlobError, type BlobStore } from '@vaani/service-kit/blobs/blob-store'
import { z } from 'zod'

const PLACE = 'shadow/flag'
const MAX_BYTES = 4096

/** The flag as gateways read it. Workers publish it at each change and each second, so gateways need no database. */
const publishedFlagSchema = z.object({
  stage: z.enum(STAGES),
  isKilled: z.boolean(),
  /** Which evidence submissions belong to from now on. */
  epoch: z.number().int(),
  /** Number of changes so far: a gateway ignores a flag that is older than the one it has. */
  revision: z.number().int(),
})
export type PublishedFlag = z.output<typeof publishedFlagSchema>

export async function publishFlag(blobs: BlobStore, flag: PublishedFlag): Promise<void> {
  await blobs.put(PLACE, Buffer.from(JSON.stringify(flag)), { maxBytes: MAX_BYTES })
}

/** Returns null before the first was published. */
export async function readPublishedFlag(blobs: BlobStore): Promise<PublishedFlag | null> {
  try {
    const { stream } = await blobs.open(PLACE)
    return publishedFlagSchema.parse(JSON.parse((await buffer(stream)).toString('utf8')))
  } catch (error) {
    if (error instanceof BlobError && error.code === 'not_found') return null
    throw error
  }
}
