import { randomUUID } from 'node:crypto'
import { ResponseWriter, toChatRequest, toResponse, toResponseError } from '@vaani/chat'
import type { Contract } from '@vaani/contracts'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { responseEvents } from '../chat/response-events.ts'
import type { ChatContext } from '../context.ts'
import { askChat, sendWhole, streamChat } from './chat.ts'

/** POST /v1/responses */
export const respond =
  (context: ChatContext): Handler<Contract['models']['respond']> =>
  async ({ body, request, reply }) => {
    const identity = {
      id: randomUUID().replaceAll('-', ''),
      createdAt: Math.floor(context.clock.nowMs() / 1000),
    }
    const input = { body: toChatRequest(body), request, reply }
    try {
      if (body.stream === true) {
        const writer = new ResponseWriter(body, identity)
        return await streamChat(context, input, (batches, options) =>
          responseEvents(batches, writer, options),
        )
      }
      const answer = await askChat(context, input)
      return sendWhole(reply, toResponse(body, answer, identity))
    } catch (error) {
      throw toResponseError(error)
    }
  }
