import type { ChatObject } from '@vaani/chat'
import type { ErrorBody } from '@vaani/contracts'
import { type Tokens, tokensOf } from './tokens.ts'

const DONE = 'data: [DONE]\n\n'

/**
 * Yields the server-sent events of a stream: those of chunks that arrived together at once, then `[DONE]`. If the model
 * fails, the error takes its place, which clients of OpenAI throw.
 *
 * @param wantsUsage whether the caller asked for the last chunk, which has the usage
 * @param onTokens is called with what the model reports
 */
export async function* chatEvents(
  batches: AsyncIterable<readonly ChatObject[]>,
  options: {
    wantsUsage: boolean
    onTokens: (tokens: Tokens) => void
    toErrorBody: (error: unknown) => ErrorBody
  },
): AsyncGenerator<Uint8Array, void, undefined> {
  const { wantsUsage, onTokens, toErrorBody } = options
  try {
    for await (const batch of batches) {
      let text = ''
      for (const chunk of batch) {
        const tokens = tokensOf(chunk)
        if (tokens !== undefined) onTokens(tokens)
        if (wantsUsage) text += toEvent(chunk)
        else if (!isUsageAlone(chunk)) text += toEvent({ ...chunk, usage: undefined })
      }
      if (text !== '') yield Buffer.from(text)
    }
  } catch (error) {
    yield Buffer.from(toEvent(toErrorBody(error)))
    return
  }
  yield Buffer.from(DONE)
}

const isUsageAlone = ({ choices, usage }: ChatObject): boolean =>
  Array.isArray(choices) && choices.length === 0 && usage !== undefined && usage !== null

const toEvent = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
