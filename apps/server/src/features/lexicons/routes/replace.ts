import { type Contract, LIMITS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { createLexicon } from '@vaani/speech'
import type { LexiconsContext } from '../context.ts'
import { canonicalTag } from '../rules/language-tags.ts'
import { toLexicon } from '../view.ts'

/** PUT /v1/lexicons/{language} */
export function replaceLexicon({ store, cache }: LexiconsContext): Handler<Contract['lexicons']['replace']> {
  return async ({ params, body: { entries, version }, request }) => {
    const tenant = principalOf(request)
    // Throws a `LexiconError` for entries that could not be spoken.
    createLexicon(entries)
    const language = canonicalTag(params.language)
    const saved = await store.replace(tenant, { language, entries, replaces: version })
    if (saved === 'other_version')
      throw new ApiError('state_conflict', 'version: is not the one that is stored', { param: 'version' })
    if (saved === 'no_room')
      throw new ApiError(
        'state_conflict',
        `The account already has ${LIMITS.lexiconsPerAccount} lexicons, which is the maximum`,
      )
    cache.forget(tenant)
    return { status: 200, body: toLexicon(saved) }
  }
}
