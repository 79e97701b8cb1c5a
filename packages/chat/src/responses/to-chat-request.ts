import type { ChatRequest } from '../provider.ts'
import type { ResponseFormat, ResponseRequest, ResponseTool, ResponseToolChoice } from './request.ts'
import { toMessages } from './to-messages.ts'

/** Fields that mean the same in chats, and are handed on if they are set. */
const SAME = [
  'temperature',
  'top_p',
  'user',
  'service_tier',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
] as const
const LOGPROBS = 'message.output_text.logprobs'

/**
 * Translates a request of OpenAI's Responses API into that of a chat. `metadata`, which vendors take only with chats that they
 * store, is not handed on.
 *
 * @example
 * toChatRequest({ model: 'fast', input: 'Good morning.' }) // { model: 'fast', messages: [{ role: 'user', content: 'Good morning.' }] }
 */
export function toChatRequest(request: ResponseRequest): ChatRequest {
  const { text, reasoning, include } = request
  const wantsLogprobs = include?.includes(LOGPROBS) ?? false
  return {
    model: request.model,
    messages: toMessages(request),
    ...toolsOf(request),
    ...withoutNull({
      ...Object.fromEntries(SAME.map((name) => [name, request[name]])),
      response_format: toFormat(text?.format),
      verbosity: text?.verbosity,
      reasoning_effort: reasoning?.effort,
      max_completion_tokens: request.max_output_tokens,
      logprobs: wantsLogprobs || undefined,
      top_logprobs: wantsLogprobs ? request.top_logprobs : undefined,
    }),
  }
}

/** Servers refuse these fields in chats without tools, and an empty list. */
function toolsOf({ tools, tool_choice, parallel_tool_calls }: ResponseRequest): object {
  const choice = tool_choice ?? undefined
  if (!tools?.length) return choice === undefined || isOpen(choice) ? {} : { tool_choice: toChoice(choice) }
  return withoutNull({
    tools: tools.map(toTool),
    tool_choice: choice === undefined ? undefined : toChoice(choice),
    parallel_tool_calls,
  })
}

const isOpen = (choice: ResponseToolChoice): boolean => choice === 'auto' || choice === 'none'

const toTool = ({ name, description, parameters, strict }: ResponseTool) => ({
  type: 'function',
  function: withoutNull({ name, description, parameters, strict }),
})

const toNamed = ({ name }: { name: string }) => ({ type: 'function', function: { name } })

function toChoice(choice: ResponseToolChoice): unknown {
  if (typeof choice === 'string') return choice
  if (choice.type === 'function') return toNamed(choice)
  const { type, mode, tools } = choice
  return { type, allowed_tools: { mode, tools: tools.map(toNamed) } }
}

/** Text is what a chat answers without a format. */
function toFormat(format: ResponseFormat | null | undefined): object | undefined {
  if (format === null || format === undefined || format.type === 'text') return undefined
  if (format.type !== 'json_schema') return { type: format.type }
  const { type, name, description, schema, strict } = format
  return { type, json_schema: withoutNull({ name, description, schema, strict }) }
}

const withoutNull = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
