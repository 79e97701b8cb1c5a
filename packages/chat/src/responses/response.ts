import { isObject } from '../upstream/upstream-error.ts'
import type { ResponseRequest } from './request.ts'

/** A response of OpenAI's Responses API. */
export type ResponseObject = { readonly [field: string]: unknown }

export interface ResponseIdentity {
  /** Unique; `resp_`, `msg_` and `fc_` are put before it. */
  readonly id: string
  /** Seconds since the epoch. */
  readonly createdAt: number
}

export type ResponseStatus = 'in_progress' | 'completed' | 'incomplete' | 'failed'
/** Why a response ends before its model would. */
export type IncompleteReason = 'max_output_tokens' | 'content_filter'

/** What a model has answered so far. */
export interface ResponseState {
  readonly status: ResponseStatus
  readonly output: readonly object[]
  readonly reason?: IncompleteReason | undefined
  readonly usage?: unknown
  readonly error?: { readonly code: string; readonly message: string } | undefined
}

/** Creates a response in a state. It repeats the settings of the request, which clients read there. */
export function createResponse(
  request: ResponseRequest,
  { id, createdAt }: ResponseIdentity,
  { status, output, reason, usage, error }: ResponseState,
): ResponseObject {
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: createdAt,
    status,
    background: false,
    error: error ?? null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    metadata: request.metadata ?? {},
    model: request.model,
    output,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: request.reasoning?.effort ?? null, summary: null },
    store: false,
    temperature: request.temperature ?? null,
    text: { ...request.text, format: request.text?.format ?? { type: 'text' } },
    tool_choice: request.tool_choice ?? 'auto',
    tools: (request.tools ?? []).map((tool) => ({ parameters: null, strict: null, ...tool })),
    top_p: request.top_p ?? null,
    truncation: 'disabled',
    usage: toUsage(usage),
  }
}

/** Translates the usage of a chat; null if the model does not report it. */
function toUsage(usage: unknown): object | null {
  if (!isObject(usage)) return null
  const input = countIn(usage, 'prompt_tokens')
  const output = countIn(usage, 'completion_tokens')
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: countIn(usage['prompt_tokens_details'], 'cached_tokens') },
    output_tokens: output,
    output_tokens_details: {
      reasoning_tokens: countIn(usage['completion_tokens_details'], 'reasoning_tokens'),
    },
    total_tokens: input + output,
  }
}

function countIn(value: unknown, member: string): number {
  const count = isObject(value) ? value[member] : undefined
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : 0
}

const INCOMPLETE: Readonly<Record<string, IncompleteReason>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
}

/** Translates the reason for which a choice of a chat ended; undefined if the model ended it. */
export const toIncompleteReason = (finishReason: unknown): IncompleteReason | undefined =>
  typeof finishReason === 'string' && Object.hasOwn(INCOMPLETE, finishReason)
    ? INCOMPLETE[finishReason]
    : undefined
