import type { ChatObject, ResponseEvent, ResponseWriter } from '@vaani/chat'
import type { EventOptions } from './chat-events.ts'
import { tokensOf } from './tokens.ts'

/** Yields the server-sent events of a response. If the model fails, `error` and `response.failed` are the last ones. */
export async function* responseEvents(
  batches: AsyncIterable<readonly ChatObject[]>,
  writer: ResponseWriter,
  { onTokens, toErrorBody }: EventOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    let events = writer.begin()
    for await (const batch of batches) {
      for (const chunk of batch) {
        const tokens = tokensOf(chunk)
        if (tokens !== undefined) onTokens(tokens)
        events.push(...writer.add(chunk))
      }
      if (events.length > 0) yield toBytes(events)
      events = []
    }
  } catch (error) {
    yield toBytes(writer.fail(toErrorBody(error).error))
    return
  }
  yield toBytes(writer.finish())
}

const toBytes = (events: readonly ResponseEvent[]): Uint8Array =>
  Buffer.from(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
