import { lexiconsRoutes } from '../generated/routes.ts'
import type { Lexicon, LexiconList, ReplaceLexiconRequest } from '../generated/types.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { type Connection, methods } from './resource.ts'

/** How terms of the account are spoken, by language. */
export interface Lexicons {
  /** Lists the lexicons without their entries. */
  list(options?: RequestOptions): Pending<LexiconList>
  retrieve(language: string, options?: RequestOptions): Pending<Lexicon>
  /**
   * Sets all entries of a language. With the `version` that was read, fails with `state_conflict` if the lexicon has changed
   * since.
   *
   * @example
   * await vaani.lexicons.replace('en-US', { entries: [{ term: 'KYC', spoken_as: 'know your customer' }] })
   */
  replace(language: string, request: ReplaceLexiconRequest, options?: RequestOptions): Pending<Lexicon>
  remove(language: string, options?: RequestOptions): Pending<void>
}

/** Creates the lexicons namespace alone, for a smaller bundle. */
export const createLexicons = (connection: Connection): Lexicons =>
  methods(connection, 'lexicons', lexiconsRoutes)
