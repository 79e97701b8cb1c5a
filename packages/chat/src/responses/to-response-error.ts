import { ChatError } from '../chat-error.ts'

/** Fields of a chat, and what a request of the Responses API calls them. */
const NAMES: ReadonlyArray<readonly [RegExp, string]> = [
  // An item may be part of a message, or several.
  [/^messages\b.*$/, 'input'],
  [/^response_format(\.json_schema)?\b/, 'text.format'],
  [/^(tools\.\d+)\.function\b/, '$1'],
  [/^tool_choice\b.*$/, 'tool_choice'],
  [/^max_(completion_)?tokens$/, 'max_output_tokens'],
  [/^reasoning_effort$/, 'reasoning.effort'],
  [/^verbosity$/, 'text.verbosity'],
  [/^logprobs$/, 'include'],
]

/** Returns the error of a chat with the name that its field has in the Responses API. */
export function toResponseError(error: unknown): unknown {
  if (!(error instanceof ChatError) || error.param === undefined) return error
  const { code, message, param, reason, retryAfterMs } = error
  const [pattern, name] = NAMES.find(([known]) => known.test(param)) ?? []
  if (pattern === undefined || name === undefined) return error
  const own = param.replace(pattern, name)
  const text = message.startsWith(`${param}: `) ? own + message.slice(param.length) : message
  return new ChatError(code, text, { param: own, reason, retryAfterMs, cause: error })
}
