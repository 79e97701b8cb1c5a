import { ChatError, type StoredObjects, UpstreamError } from '@vaani/chat'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { KeepingUpstreams } from '../chat/load-chat.ts'
import type { StoredRow } from './store.ts'

/** Returns the upstream that keeps an object. @throws ApiError if the operator's file has it no more */
export function upstreamOf(
  { stored }: KeepingUpstreams,
  { upstream }: Pick<StoredRow, 'upstream'>,
): StoredObjects {
  const found = stored.get(upstream)
  if (found !== undefined) return found
  throw new ApiError('not_found', 'The upstream that keeps it is not configured any more')
}

/** Whether an upstream says that it does not have what it was asked about. */
export const isGone = (error: unknown): boolean =>
  error instanceof ChatError && error.cause instanceof UpstreamError && error.cause.status === 404

/** Turns the answer of an upstream that does not have an object any more into our own. */
export async function orNotFound<Value>(asked: Promise<Value>, param: string): Promise<Value> {
  try {
    return await asked
  } catch (error) {
    throw isGone(error) ? notFound(param) : error
  }
}

export const notFound = (param: string): ApiError =>
  new ApiError('not_found', `${param}: is not known`, { param })
