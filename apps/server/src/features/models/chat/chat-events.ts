import type { ChatObject } from '@vaani/chat'
import type { ErrorBody } from '@vaani/contracts'
import { toEvent } from '@vaani/service-kit/http/connection/event-stream'
import { type Tokens, tokensOf } from './tokens.ts'

const DONE = 'data: [DONE]\n\n'

export interface EventOptions {
  /** Is called with what the model reports. */
  onTokens: (tokens: Tokens) => void
  /** Translates the error of a model that fails in the middle. */
  toErrorBody: (error: unknown) => ErrorBody
}

/**
 * Yields the server-sent events of a stream: those of chunks that arrived together at once, then `[DONE]`.
 *
 * @param options.wantsUsage whether the caller asked for the last chunk, which has the usage
 */
export async function* chatEvents(
  batches: AsyncIterable<readonly ChatObject[]>,
  options: { wantsUsage: boolean; onTokens: (tokens: Tokens) => void },
): AsyncGenerator<Uint8Array, void, undefined> {
  const { wantsUsage, onTokens } = options
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
  yield Buffer.from(DONE)
}

const isUsageAlone = ({ choices, usage }: ChatObject): boolean =>
  Array.isArray(choices) && choices.length === 0 && usage !== undefined && usage !== null
