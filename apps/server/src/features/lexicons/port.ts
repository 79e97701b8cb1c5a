import type { Tenant } from '@vaani/service-kit/tenant'
import type { Lexicon } from '@vaani/speech'

/** What the lexicons feature offers to the other features. */
export interface LexiconsPort {
  /**
   * Finds how an account speaks terms of a language: the lexicon of the tag, else that of its language without region.
   * Within a second of a change, on every process.
   *
   * @throws Error of the database, unless the lexicon was known before it failed
   */
  find(tenant: Tenant, language: string): Promise<Lexicon | undefined>
}
