import { principalOf } from '@vaani/service-kit/http/authorize'
import type { StoredContext } from '../context.ts'
import { requireStored } from './choose-upstream.ts'
import type { Kind, StoredRow } from './store.ts'
import { notFound } from './upstream-of.ts'

/** What the object of a request is called in the contract. */
interface Named {
  kind: Kind
  id: string
  param: string
  /** The path that the request asks for; by default that of the kind. */
  path?: string
}

/** Returns the object that a request names. @throws ApiError `not_found` unless it is the account's, in this mode */
export async function requireObject(
  { store, upstreams }: StoredContext,
  request: Parameters<typeof principalOf>[0],
  { kind, id, param, path = kind === 'file' ? '/v1/files' : '/v1/batches' }: Named,
): Promise<StoredRow> {
  requireStored(upstreams, path)
  const row = await store.find(principalOf(request), kind, id)
  if (row === undefined) throw notFound(param)
  return row
}
