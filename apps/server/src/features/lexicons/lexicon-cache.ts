import type { Clock } from '@vaani/service-kit/clock'
import type { Tenant } from '@vaani/service-kit/tenant'
import { createLexicon, type Lexicon } from '@vaani/speech'
import { LRUCache } from 'lru-cache'
import type { LexiconsPort } from './port.ts'
import { canonicalTag, primaryTag } from './rules/language-tags.ts'
import type { LexiconRow, LexiconStore, LexiconVersion } from './store.ts'

/** How long a process speaks by a version without asking whether it is still stored. Less than the second that is promised. */
const FRESH_MS = 500
/** Accounts and languages whose version is known: some 200 bytes each. */
const MAX_VERSIONS = 20_000
/** Prepared lexicons: two bytes for each unit of their texts, and what objects take. */
const MAX_BYTES = 64 * 1024 * 1024
const BYTES_PER_UNIT = 2
const BYTES_PER_ENTRY = 400

export interface LexiconCache extends LexiconsPort {
  /** Makes changes of an account apply at once in this process. */
  forget(tenant: Tenant): void
}

interface Known {
  askedAtMs: number
  version: Promise<LexiconVersion | undefined>
}

/**
 * Creates a cache of prepared lexicons. What a request waits for is at most one read of a version by primary key, and only
 * the first request of a new version waits until it is prepared. A version is a digest, so what is prepared is never stale.
 */
export function createLexiconCache({
  store,
  clock,
}: {
  store: Pick<LexiconStore, 'find' | 'findVersion'>
  clock: Clock
}): LexiconCache {
  const versions = new LRUCache<string, Known>({ max: MAX_VERSIONS })
  const prepared = new LRUCache<string, Lexicon>({ maxSize: MAX_BYTES })
  /** Shared by the requests that wait for the same lexicon. */
  const preparing = new Map<string, Promise<Lexicon | undefined>>()
  const prefixOf = ({ accountId, livemode }: Tenant) => `${accountId} ${livemode} `

  function currentVersion(tenant: Tenant, tag: string): Known['version'] {
    const id = prefixOf(tenant) + tag
    const known = versions.get(id)
    const nowMs = clock.nowMs()
    if (known !== undefined && nowMs - known.askedAtMs < FRESH_MS) return known.version
    const version = store.findVersion(tenant, [tag, primaryTag(tag)]).catch((error: unknown) => {
      // Speech goes on without the database.
      if (known !== undefined) return known.version
      versions.delete(id)
      throw error
    })
    versions.set(id, { askedAtMs: nowMs, version })
    return version
  }

  async function prepare(tenant: Tenant, language: string): Promise<Lexicon | undefined> {
    const row = await store.find(tenant, language)
    if (row === undefined) return undefined
    const lexicon = createLexicon(row.entries)
    prepared.set(row.version, lexicon, { size: sizeOf(row) })
    return lexicon
  }

  return {
    async find(tenant, language) {
      const current = await currentVersion(tenant, canonicalTag(language))
      if (current === undefined) return undefined
      const { version } = current
      const known = prepared.get(version) ?? preparing.get(version)
      if (known !== undefined) return known
      const lexicon = prepare(tenant, current.language).finally(() => preparing.delete(version))
      preparing.set(version, lexicon)
      return lexicon
    },
    forget(tenant) {
      const prefix = prefixOf(tenant)
      // What was known stays, for when the database is away.
      for (const [id, known] of versions.entries())
        if (id.startsWith(prefix)) known.askedAtMs = Number.NEGATIVE_INFINITY
    },
  }
}

const sizeOf = ({ entries }: LexiconRow): number =>
  entries.reduce(
    (sum, { term, spoken_as }) =>
      sum + BYTES_PER_ENTRY + BYTES_PER_UNIT * (2 * term.length + spoken_as.length),
    0,
  )
