import type { LexiconCache } from './lexicon-cache.ts'
import type { LexiconStore } from './store.ts'

/** Dependencies of the lexicon routes. */
export interface LexiconsContext {
  store: LexiconStore
  cache: LexiconCache
}
