import type { Endpoint } from '@vaani/chat'
import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { ChatContext } from '../context.ts'
import { askChat, type ChatInput, sendWhole, streamChunks } from './chat.ts'

type Routes = Contract['models']

/** POST /v1/embeddings */
export const embed = (context: ChatContext): Handler<Routes['embed']> => passOn(context, 'embeddings')

/** POST /v1/completions */
export const complete = (context: ChatContext): Handler<Routes['complete']> => passOn(context, 'completions')

/** POST /v1/moderations */
export const moderate = (context: ChatContext): Handler<Routes['moderate']> => passOn(context, 'moderations')

/** POST /v1/images/generations */
export const draw = (context: ChatContext): Handler<Routes['draw']> => passOn(context, 'images/generations')

function passOn(context: ChatContext, endpoint: Endpoint) {
  return async ({ body, request, reply }: Omit<ChatInput, 'endpoint'>) => {
    const input = { body, request, reply, endpoint }
    requireServed(context, endpoint, body.model)
    // Nothing else comes in chunks.
    if (endpoint === 'completions' && body['stream'] === true) return streamChunks(context, input)
    return sendWhole(reply, await askChat(context, input))
  }
}

/** @throws ApiError `not_found` unless an upstream has the endpoint for this model */
export function requireServed({ chat }: Pick<ChatContext, 'chat'>, endpoint: Endpoint, model: string): void {
  if (chat.endpoints?.()[endpoint]?.includes(model) === true) return
  throw new ApiError('not_found', `model: no upstream of this server has /v1/${endpoint} for it`, {
    param: 'model',
  })
}
