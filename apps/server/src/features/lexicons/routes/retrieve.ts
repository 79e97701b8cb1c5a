import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { LexiconsContext } from '../context.ts'
import { canonicalTag } from '../rules/language-tags.ts'
import { notFound, toLexicon } from '../view.ts'

/** GET /v1/lexicons/{language} */
export function retrieveLexicon({ store }: LexiconsContext): Handler<Contract['lexicons']['retrieve']> {
  return async ({ params, request }) => {
    const row = await store.find(principalOf(request), canonicalTag(params.language))
    if (row === undefined) throw notFound()
    return { status: 200, body: toLexicon(row) }
  }
}
