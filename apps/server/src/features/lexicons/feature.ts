import { contract } from '@vaani/contracts'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { LexiconsContext } from './context.ts'
import { createLexiconCache } from './lexicon-cache.ts'
import * as lexicons from './migrations/0022-lexicons.ts'
import type { LexiconsPort } from './port.ts'
import { listLexicons } from './routes/list.ts'
import { removeLexicon } from './routes/remove.ts'
import { replaceLexicon } from './routes/replace.ts'
import { retrieveLexicon } from './routes/retrieve.ts'
import { createLexiconStore } from './store.ts'
import { translateLexiconError } from './translate-lexicon-error.ts'

/** How accounts have their terms spoken. */
export const lexiconsFeature = defineFeature({
  name: 'lexicons',
  contract: { lexicons: contract.lexicons },
  migrations: { '0022-lexicons': lexicons },
  translate: translateLexiconError,
  async start({ database, clock }: Pick<Services, 'database' | 'clock'>) {
    const store = createLexiconStore({ database, clock })
    const cache = createLexiconCache({ store, clock })
    const context: LexiconsContext = { store, cache }
    const port: LexiconsPort = cache
    return {
      mounts: [
        handle(contract.lexicons, {
          list: listLexicons(context),
          retrieve: retrieveLexicon(context),
          replace: replaceLexicon(context),
          remove: removeLexicon(context),
        }),
      ],
      port,
      counters: { lexicons: store.count },
    }
  },
})
