import type { BlobStore } from '@vaani/service-kit/blobs/blob-store'
import { publishFlag, readPublishedFlag } from '../../published-flag/published-flag.ts'
import type { KnownFlag } from './known-flag.ts'
import type { SharedKills } from './shared-kills.ts'

/** Creates a function that publishes the flag that all workers know, unless it is published, or a newer one is. */
export const publisherOf =
  ({
    blobs,
    known,
    kills,
  }: {
    blobs: BlobStore
    known: KnownFlag
    kills: SharedKills
  }): (() => Promise<void>) =>
  async () => {
    known.setElsewhere(await kills.exchange(known.localKill()))
    const { stage, isKilled, epoch, revision } = known.current()
    const flag = { stage, isKilled, epoch, revision }
    // One that cannot be read is replaced.
    const published = await readPublishedFlag(blobs).catch(() => null)
    if (published !== null && published.revision > revision) return
    if (JSON.stringify(published) !== JSON.stringify(flag)) await publishFlag(blobs, flag)
  }
