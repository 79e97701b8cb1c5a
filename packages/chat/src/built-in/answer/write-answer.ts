import { findInstance } from '../schema/find-instance.ts'
import { isObject, isSchema, type Schema } from '../schema/read-schema.ts'
import { SchemaRefusal } from '../schema-refusal.ts'
import { Work } from '../work.ts'
import { countTokens, limitTokens, piecesOf } from './tokens.ts'

/** Tokens that a chat may have, its answer included. */
const CONTEXT_TOKENS = 131_072
/** Units of text beyond which a chat is refused before it is counted: no text of the context is as long. */
const MAX_UNITS = 2 * 1024 * 1024
const MAX_CHOICES = 16
/** What a chat costs beside its words (OpenAI Cookbook, "How to count tokens with tiktoken"). */
const TOKENS_PER_MESSAGE = 3
const TOKENS_PER_ANSWER = 3
const SILENCE = 'Hello.'

/** A request that is refused. */
export interface Refusal {
  readonly type: 'refused'
  readonly message: string
  readonly param: string
  readonly reason?: string
}

export interface ToolCall {
  readonly name: string
  readonly pieces: readonly string[]
  readonly isCustom: boolean
}

/** What each of the choices says, cut to the pieces in which it is streamed. */
export interface Answer {
  readonly type: 'answered'
  readonly choices: number
  readonly pieces: readonly string[] | null
  readonly calls: readonly ToolCall[]
  readonly finishReason: 'stop' | 'length' | 'tool_calls'
  readonly promptTokens: number
  readonly completionTokens: number
}

type Fields = { readonly [field: string]: unknown }
interface Tool {
  readonly name: string
  readonly isCustom: boolean
  readonly parameters: Schema
  readonly index: number
}

class Refused extends Error {
  readonly refusal: Refusal
  constructor(param: string, message: string, reason?: string) {
    super(message)
    this.refusal = {
      type: 'refused',
      param,
      message: `${param}: ${message}`,
      ...(reason !== undefined && { reason }),
    }
  }
}

/**
 * Answers a chat by rules alone, so the same request has the same answer:
 *
 * - **Text** is the last text of the user, or `Hello.` if there is none.
 * - **Tools.** With the choice `auto`, those that the last text of the user names are called. With `required`, the first one is if
 *   none is named. A tool that is chosen by name is called, and of `allowed_tools` only those. After results of tools, the answer is these results, each behind the name of
 *   its tool, unless a call is required.
 * - **JSON** is `{"text": …}`, or the first value that is found for the schema of the format. Arguments of tools are found likewise.
 */
export function writeAnswer(request: Fields): Answer | Refusal {
  try {
    return answer(request)
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}

function answer(request: Fields): Answer {
  const messages = fieldsIn(request['messages'])
  const tools = toolsOf(request)
  const choices = numberIn(request, 'n') ?? 1
  if (choices > MAX_CHOICES) throw new Refused('n', `the built-in model gives at most ${MAX_CHOICES} choices`)
  if (request['logprobs'] === true) throw new Refused('logprobs', 'the built-in model has no probabilities')
  refuseOldCalls(request)
  const promptTokens = countPrompt(messages, tools.length > 0 ? request['tools'] : undefined)
  const limit = Math.min(
    numberIn(request, 'max_completion_tokens') ?? numberIn(request, 'max_tokens') ?? CONTEXT_TOKENS,
    CONTEXT_TOKENS - promptTokens,
  )
  const called = calledTools(request, messages, tools)
  if (called.length > 0) {
    // Steps are those of the whole answer.
    const work = new Work()
    const calls = called.map((tool) => ({ ...tool, text: argumentsFor(tool, lastText(messages), work) }))
    const said = limitAll(
      calls.map(({ text }) => text),
      limit,
    )
    return {
      type: 'answered',
      choices,
      pieces: null,
      calls: calls.map(({ name, isCustom }, index) => ({
        name,
        isCustom,
        pieces: piecesOf(said.texts[index] ?? ''),
      })),
      finishReason: said.isWhole ? 'tool_calls' : 'length',
      promptTokens,
      completionTokens: choices * said.tokens,
    }
  }
  const full = contentFor(request, messages)
  const stopped = cutAtStop(full, request['stop'])
  const said = limitAll([stopped], limit)
  return {
    type: 'answered',
    choices,
    pieces: piecesOf(said.texts[0] ?? ''),
    calls: [],
    finishReason: said.isWhole ? 'stop' : 'length',
    promptTokens,
    completionTokens: choices * said.tokens,
  }
}

/** Refuses what came before tools instead of passing it over. With `none`, nothing is called anyway. */
function refuseOldCalls({ functions, function_call: choice }: Fields): void {
  const instead = 'came before tools, which the built-in model follows: send'
  if (isObject(choice)) throw new Refused('function_call', `${instead} tool_choice`)
  if (choice !== 'none' && fieldsIn(functions).length > 0) throw new Refused('functions', `${instead} tools`)
}

function limitAll(texts: readonly string[], limit: number) {
  let tokens = 0
  let isWhole = true
  const kept = texts.map((text) => {
    const limited = limitTokens(text, Math.max(0, limit - tokens))
    tokens += limited.tokens
    isWhole &&= limited.isWhole
    return limited.text
  })
  return { texts: kept, tokens, isWhole }
}

function contentFor(request: Fields, messages: readonly Fields[]): string {
  const format = fieldsOf(request['response_format'])
  const text = isAfterTools(messages) ? resultsOf(messages) : lastText(messages) || SILENCE
  switch (format['type']) {
    case 'json_object':
      return JSON.stringify({ text })
    case 'json_schema': {
      const { schema } = fieldsOf(format['json_schema'])
      return instanceFor(isSchema(schema) ? schema : true, 'response_format.json_schema.schema', {
        work: new Work(),
      })
    }
    default:
      return text
  }
}

function instanceFor(
  schema: Schema,
  param: string,
  options: { within?: readonly Schema[]; work: Work },
): string {
  try {
    return JSON.stringify(findInstance(schema, options))
  } catch (error) {
    if (error instanceof SchemaRefusal) throw new Refused(param, error.message)
    throw error
  }
}

/** Arguments are an object, whatever the schema says. */
const argumentsFor = (tool: Tool, text: string, work: Work): string =>
  tool.isCustom
    ? text
    : instanceFor(tool.parameters, `tools.${tool.index}.function.parameters`, {
        within: [{ type: 'object' }],
        work,
      })

function toolsOf(request: Fields): Tool[] {
  return fieldsIn(request['tools']).flatMap((tool, index) => {
    const isCustom = tool['type'] === 'custom'
    const { name, parameters } = fieldsOf(tool[isCustom ? 'custom' : 'function'])
    return typeof name === 'string'
      ? [{ name, isCustom, parameters: isSchema(parameters) ? parameters : true, index }]
      : []
  })
}

function calledTools(request: Fields, messages: readonly Fields[], tools: readonly Tool[]): readonly Tool[] {
  const { mode, allowed } = choiceOf(request['tool_choice'] ?? 'auto', tools)
  if (mode === 'none') return []
  const isRequired = mode === 'required'
  if (isRequired && allowed.length === 0) throw new Refused('tool_choice', 'there are no tools')
  if (isAfterTools(messages) && !isRequired) return []
  const text = wordsOf(lastText(messages))
  const named = allowed.filter(({ name }) => text.includes(wordsOf(name)))
  const called = named.length === 0 && isRequired ? allowed.slice(0, 1) : named
  return request['parallel_tool_calls'] === false ? called.slice(0, 1) : called
}

function choiceOf(choice: unknown, tools: readonly Tool[]): { mode: unknown; allowed: readonly Tool[] } {
  if (!isObject(choice)) return { mode: choice, allowed: tools }
  const toolNamedBy = (reference: Fields): Tool => {
    const wanted = fieldsOf(reference['function'] ?? reference['custom'])['name']
    const tool = tools.find(({ name }) => name === wanted)
    if (tool === undefined) throw new Refused('tool_choice', 'names no tool of this request')
    return tool
  }
  if (choice['type'] !== 'allowed_tools') return { mode: 'required', allowed: [toolNamedBy(choice)] }
  const { mode, tools: references } = fieldsOf(choice['allowed_tools'])
  if (mode !== 'auto' && mode !== 'required')
    throw new Refused('tool_choice.allowed_tools.mode', 'must be "auto" or "required"')
  return { mode, allowed: fieldsIn(references).map(toolNamedBy) }
}

/** Text as words between spaces: `get_weather` is named by "get weather". */
const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

const isAfterTools = (messages: readonly Fields[]): boolean => messages.at(-1)?.['role'] === 'tool'

/** Results that follow the last message of another role. */
function resultsOf(messages: readonly Fields[]): string {
  const from = messages.findLastIndex(({ role }) => role !== 'tool') + 1
  const calls = messages.flatMap((message) => fieldsIn(message['tool_calls']))
  const nameOf = (id: unknown): unknown => {
    const call = calls.find((one) => one['id'] === id) ?? {}
    return fieldsOf(call['function'] ?? call['custom'])['name'] ?? id
  }
  return messages
    .slice(from)
    .map((message) => `${String(nameOf(message['tool_call_id']))}: ${textOfContent(message['content'])}`)
    .join('\n')
}

const lastText = (messages: readonly Fields[]): string =>
  textOfContent(messages.findLast(({ role }) => role === 'user')?.['content'])

/** The text of a content, with the types of parts that are none, as in `[image_url]`. */
function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content
  return fieldsIn(content)
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : `[${String(part['type'])}]`))
    .join('\n')
}

function cutAtStop(text: string, stop: unknown): string {
  const places = (Array.isArray(stop) ? stop : [stop])
    .filter((one): one is string => typeof one === 'string' && one !== '')
    .map((one) => text.indexOf(one))
    .filter((at) => at >= 0)
  return text.slice(0, Math.min(text.length, ...places))
}

function countPrompt(messages: readonly Fields[], tools: unknown): number {
  const texts = messages.flatMap(({ role, content, name, tool_calls }) => [
    String(role),
    textOfContent(content),
    ...(typeof name === 'string' ? [name] : []),
    ...(tool_calls === undefined ? [] : [JSON.stringify(tool_calls)]),
  ])
  if (tools !== undefined) texts.push(JSON.stringify(tools))
  const tooLong = () =>
    new Refused('messages', `a chat has at most ${CONTEXT_TOKENS} tokens`, 'context_length_exceeded')
  if (texts.reduce((sum, { length }) => sum + length, 0) > MAX_UNITS) throw tooLong()
  const tokens = texts.reduce(
    (sum, text) => sum + countTokens(text),
    TOKENS_PER_ANSWER + messages.length * TOKENS_PER_MESSAGE,
  )
  if (tokens >= CONTEXT_TOKENS) throw tooLong()
  return tokens
}

const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})
const fieldsIn = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isObject) : [])
const numberIn = (request: Fields, field: string): number | undefined => {
  const value = request[field]
  return typeof value === 'number' ? value : undefined
}
