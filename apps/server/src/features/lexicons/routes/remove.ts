import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { LexiconsContext } from '../context.ts'
import { canonicalTag } from '../rules/language-tags.ts'
import { notFound } from '../view.ts'

/** DELETE /v1/lexicons/{language} */
export function removeLexicon({ store, cache }: LexiconsContext): Handler<Contract['lexicons']['remove']> {
  return async ({ params, request }) => {
    const tenant = principalOf(request)
    if (!(await store.remove(tenant, canonicalTag(params.language)))) throw notFound()
    cache.forget(tenant)
    return { status: 204, body: undefined }
  }
}
