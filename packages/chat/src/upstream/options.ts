import { type OptionProblem, throwProblems } from '../chat-options-error.ts'
import { type EndpointModels, ENDPOINTS } from '../endpoints.ts'

export interface UpstreamOptions {
  /** Address up to `/chat/completions`: `https://api.openai.com/v1`, `http://127.0.0.1:8000/v1`. */
  baseUrl: string
  /** Sent as a bearer token. Local servers need none. */
  apiKey?: string | undefined
  /** The server's names of the models that it is asked for. */
  models: readonly string[]
  /** The server's names of models for what it has beside chats, such as `embeddings`. Default: nothing. */
  endpoints?: EndpointModels | undefined
  /** Whether the server knows `stream_options.include_usage`; otherwise it is left out. Default true. */
  streamUsage?: boolean | undefined
  /** Requests at the same time; one more is `provider_busy`. Default 1000. */
  maxConcurrent?: number | undefined
  /** Limit on silence before the first chunk of a stream; pings end a silence. Default 120,000, because some models think first. */
  firstChunkTimeoutMs?: number | undefined
  /** Limit on silence between two chunks of a stream; pings end a silence. Default 60,000. */
  chunkTimeoutMs?: number | undefined
  /** Limit from the request to the end of an answer that is not streamed. Default 600,000. */
  answerTimeoutMs?: number | undefined
  /** Repetitions of a request that failed before the first byte of its answer. Default 2. */
  maxRetries?: number | undefined
  /** Longest wait before a repetition. If the server asks for more, its error is passed on. Default 2000. */
  maxRetryDelayMs?: number | undefined
  /** Limit on an answer, and on all of a stream. Default 64 MiB. */
  maxAnswerBytes?: number | undefined
  /** Limit on one event of a stream. Default 1 MiB. */
  maxEventBytes?: number | undefined
}

type Numbers =
  | 'maxConcurrent'
  | 'firstChunkTimeoutMs'
  | 'chunkTimeoutMs'
  | 'answerTimeoutMs'
  | 'maxRetries'
  | 'maxRetryDelayMs'
  | 'maxAnswerBytes'
  | 'maxEventBytes'

export interface CheckedOptions extends Readonly<Record<Numbers, number>> {
  origin: string
  /** Up to the path of an endpoint. */
  basePath: string
  /** Apart from the content type. */
  headers: Readonly<Record<string, string>>
  models: readonly string[]
  endpoints: EndpointModels
  streamUsage: boolean
}

const MIB = 1024 * 1024
const HOUR_MS = 3_600_000

const NUMBERS: Readonly<Record<Numbers, { byDefault: number; min: number; max: number }>> = {
  maxConcurrent: { byDefault: 1000, min: 1, max: 100_000 },
  firstChunkTimeoutMs: { byDefault: 120_000, min: 1, max: HOUR_MS },
  chunkTimeoutMs: { byDefault: 60_000, min: 1, max: HOUR_MS },
  answerTimeoutMs: { byDefault: 600_000, min: 1, max: HOUR_MS },
  maxRetries: { byDefault: 2, min: 0, max: 10 },
  maxRetryDelayMs: { byDefault: 2000, min: 0, max: 60_000 },
  maxAnswerBytes: { byDefault: 64 * MIB, min: 1024, max: 512 * MIB },
  maxEventBytes: { byDefault: MIB, min: 1024, max: 64 * MIB },
}
/** A bearer token of RFC 6750. Anything else would end up in the message of the error that the transport throws. */
const TOKEN = /^[\w.~+/-]+=*$/

/** Checks the options and fills in the defaults. @throws ChatOptionsError with all that is wrong */
export function checkOptions(options: UpstreamOptions): CheckedOptions {
  const { baseUrl, apiKey, models, endpoints = {}, streamUsage = true } = options
  const problems: OptionProblem[] = []
  function mustBe(isValid: boolean, field: string, problem: string): void {
    if (!isValid) problems.push({ field, problem })
  }
  function checkNames(field: string, names: readonly string[]): void {
    for (const [index, name] of names.entries())
      mustBe(name !== '' && name.length <= 200, `${field}.${index}`, 'must have 1 to 200 characters')
  }
  mustBe(apiKey === undefined || TOKEN.test(apiKey), 'apiKey', 'must be a bearer token (RFC 6750)')
  mustBe(models.length + Object.keys(endpoints).length > 0, 'models', 'must not be empty')
  checkNames('models', models)
  for (const [endpoint, names] of Object.entries(endpoints)) {
    const isKnown = ENDPOINTS.some((known) => known === endpoint)
    mustBe(isKnown, `endpoints.${endpoint}`, 'is not an endpoint that is passed on')
    checkNames(`endpoints.${endpoint}`, names)
  }
  const url = URL.parse(baseUrl)
  const problemOfBase = problemOfUrl(url)
  mustBe(problemOfBase === null, 'baseUrl', problemOfBase ?? '')
  const number = (field: Numbers): number => {
    const { byDefault, min, max } = NUMBERS[field]
    const value = options[field] ?? byDefault
    const isValid = Number.isInteger(value) && value >= min && value <= max
    mustBe(isValid, field, `must be a whole number from ${min} to ${max}`)
    return value
  }
  const numbers = {
    maxConcurrent: number('maxConcurrent'),
    firstChunkTimeoutMs: number('firstChunkTimeoutMs'),
    chunkTimeoutMs: number('chunkTimeoutMs'),
    answerTimeoutMs: number('answerTimeoutMs'),
    maxRetries: number('maxRetries'),
    maxRetryDelayMs: number('maxRetryDelayMs'),
    maxAnswerBytes: number('maxAnswerBytes'),
    maxEventBytes: number('maxEventBytes'),
  }
  throwProblems(problems)
  return {
    ...numbers,
    origin: url?.origin ?? '',
    basePath: url?.pathname.replace(/\/+$/, '') ?? '',
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    models: [...new Set(models)],
    endpoints,
    streamUsage,
  }
}

/** Returns what is wrong with an address, or null. */
function problemOfUrl(url: URL | null): string | null {
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an http(s) URL'
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return isPlain ? null : 'must not contain credentials, a query or a fragment'
}
