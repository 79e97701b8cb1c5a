import type { ChatObject } from '../provider.ts'
import type { ResponseRequest } from './request.ts'
import type { ResponseIdentity, ResponseObject } from './response.ts'
import { ResponseWriter } from './response-writer.ts'

/** Translates a chat.completion into a response. */
export function toResponse(
  request: ResponseRequest,
  completion: ChatObject,
  identity: ResponseIdentity,
): ResponseObject {
  const writer = new ResponseWriter(request, identity)
  writer.add(completion)
  return writer.response()
}
