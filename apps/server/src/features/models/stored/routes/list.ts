import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { FastifyRequest } from 'fastify'
import type { StoredContext } from '../../context.ts'
import { requireStored } from '../choose-upstream.ts'
import type { Kind, StoredPage } from '../store.ts'

type Routes = Contract['models']

/** GET /v1/files */
export const listFiles =
  (context: StoredContext): Handler<Routes['listFiles']> =>
  async ({ query, request }) => ({
    status: 200,
    body: await pageOf(context, request, { ...query, kind: 'file', path: '/v1/files' }),
  })

/** GET /v1/batches */
export const listBatches =
  (context: StoredContext): Handler<Routes['listBatches']> =>
  async ({ query, request }) => ({
    status: 200,
    body: await pageOf(context, request, { ...query, order: 'desc', kind: 'batch', path: '/v1/batches' }),
  })

interface Listed extends Pick<StoredPage, 'limit' | 'order'> {
  kind: Kind
  path: string
  after?: string | undefined
  purpose?: string | undefined
}

async function pageOf({ store, upstreams }: StoredContext, request: FastifyRequest, listed: Listed) {
  const { kind, path, after: id, limit, order, purpose } = listed
  requireStored(upstreams, path)
  const tenant = principalOf(request)
  const after = id === undefined ? undefined : await store.find(tenant, kind, id)
  if (id !== undefined && after === undefined)
    throw new ApiError('invalid_request', 'after: must be the last_id of a page of this list', {
      param: 'after',
    })
  const rows = await store.list(tenant, kind, { after, limit: limit + 1, order, purpose })
  const page = rows.slice(0, limit)
  return {
    object: 'list' as const,
    data: page.map(({ view }) => view),
    first_id: page[0]?.object_id ?? null,
    last_id: page.at(-1)?.object_id ?? null,
    has_more: rows.length > limit,
  }
}
