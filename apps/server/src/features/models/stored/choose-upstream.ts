import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { KeepingUpstreams } from '../chat/load-chat.ts'
import type { RenamedModel } from './rename-lines.ts'

const INSTEAD = 'batches have their requests in the body of POST /v1/batch'

/** @throws ApiError `not_found` if no upstream has batches */
export function requireStored({ chat }: KeepingUpstreams, path: string): void {
  if (chat.endpoints?.().batches?.length) return
  throw new ApiError('not_found', `No upstream of this server has ${path}: ${INSTEAD}`)
}

/** Returns the upstream that has batches for a model. @throws ApiError `not_found` */
export function chooseUpstream({ chat }: KeepingUpstreams, name: string): RenamedModel {
  const target = chat.preferred(name, 'batches')
  if (target !== undefined) return { name, upstream: target.provider, model: target.model }
  throw new ApiError('not_found', 'file: no upstream of this server has /v1/batches for its model', {
    param: 'file',
  })
}
