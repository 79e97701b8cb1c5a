import type { EngineLanguage } from '@vaani/speech'
import { EngineOptionsError } from '@vaani/speech/engine-kit'

/** A language that the server speaks. */
export interface RemoteLanguage {
  /** BCP-47, as in `hi-IN`. */
  tag: string
  /** Explains the shortcoming if the quality is not native. */
  note?: string | undefined
  /** Default `native`. */
  quality?: EngineLanguage['quality'] | undefined
  /** The server's voices for this language by our names. Default: those of the engine. */
  voices?: Readonly<Record<string, string>> | undefined
  /** Members that requests in this language have in addition, such as `{ lang_code: 'h' }`. */
  body?: Readonly<Record<string, unknown>> | undefined
}

export interface OpenAiEngineOptions {
  /** Address up to `/audio/speech`: `https://api.openai.com/v1`, `http://127.0.0.1:8880/v1`. */
  baseUrl: string
  /** Sent as a bearer token. Local servers need none. */
  apiKey?: string | undefined
  model: string
  /** The server's voices by our names: `{ nova: 'nova', atlas: 'onyx' }`. */
  voices: Readonly<Record<string, string>>
  /** BCP-47 tags, or rows with more. The server recognises the language by itself unless a row's `body` names it. */
  languages: readonly (string | RemoteLanguage)[]
  /**
   * Format to request. `pcm` is 16-bit mono without a header and starts soonest; `wav` says its own rate and channels. Default
   * `pcm`.
   */
  format?: 'pcm' | 'wav' | undefined
  /** Rate of the server's `pcm`, and of this engine's samples. Default 24,000, the rate of OpenAI. */
  sampleRateHz?: number | undefined
  /** Members of every request in addition, such as `{ instructions: 'Speak warmly.' }`. */
  body?: Readonly<Record<string, unknown>> | undefined
  /** Requests at the same time; others wait. Default 16. */
  maxConcurrent?: number | undefined
  /** Limit from the request to the first sample. Default 5000. */
  firstAudioTimeoutMs?: number | undefined
  /** Limit between two chunks while the engine waits for the server. Default 5000. */
  chunkTimeoutMs?: number | undefined
  /** Repetitions of a request that failed before its first sample. Default 2. */
  maxRetries?: number | undefined
  /** Longest wait before a repetition. A server that asks for more counts as busy. Default 1000. */
  maxRetryDelayMs?: number | undefined
  /** Whether the server gives the same samples for the same request. Default false. */
  repeatable?: boolean | undefined
}

type Numbers =
  | 'sampleRateHz'
  | 'maxConcurrent'
  | 'firstAudioTimeoutMs'
  | 'chunkTimeoutMs'
  | 'maxRetries'
  | 'maxRetryDelayMs'

export interface CheckedOptions extends Readonly<Record<Numbers, number>> {
  url: string
  headers: Readonly<Record<string, string>>
  model: string
  voices: Readonly<Record<string, string>>
  languages: readonly (RemoteLanguage & { quality: EngineLanguage['quality'] })[]
  format: 'pcm' | 'wav'
  body: Readonly<Record<string, unknown>>
  repeatable: boolean
}

const NUMBERS: Readonly<Record<Numbers, { byDefault: number; min: number; max: number }>> = {
  sampleRateHz: { byDefault: 24_000, min: 8000, max: 96_000 },
  maxConcurrent: { byDefault: 16, min: 1, max: 10_000 },
  firstAudioTimeoutMs: { byDefault: 5000, min: 1, max: 600_000 },
  chunkTimeoutMs: { byDefault: 5000, min: 1, max: 600_000 },
  maxRetries: { byDefault: 2, min: 0, max: 10 },
  maxRetryDelayMs: { byDefault: 1000, min: 0, max: 60_000 },
}
/** Members that the engine sets itself. */
const OWN_MEMBERS = ['input', 'model', 'response_format', 'speed', 'stream_format', 'voice']
/** A bearer token of RFC 6750. Anything else would end up in the message of the error that `fetch` throws. */
const TOKEN = /^[\w.~+/-]+=*$/

/** Checks the options and fills in the defaults. @throws EngineOptionsError */
export function checkOptions(options: OpenAiEngineOptions): CheckedOptions {
  const { baseUrl, apiKey, model, voices, languages, format = 'pcm', body = {}, repeatable = false } = options
  mustBe(apiKey === undefined || TOKEN.test(apiKey), 'apiKey', 'must be a bearer token (RFC 6750)')
  mustBe(model !== '', 'model', 'must not be empty')
  mustBe(Object.keys(voices).length > 0, 'voices', 'must not be empty')
  mustBe(languages.length > 0, 'languages', 'must not be empty')
  mustNotBeOwn(body, 'body')
  const rows = languages.map((row) => (typeof row === 'string' ? { tag: row } : row))
  for (const [index, row] of rows.entries()) {
    mustBe(isLanguageTag(row.tag), `languages.${index}.tag`, 'must be a BCP-47 tag')
    mustNotBeOwn(row.body ?? {}, `languages.${index}.body`)
    for (const voice of Object.keys(row.voices ?? {}))
      mustBe(Object.hasOwn(voices, voice), `languages.${index}.voices.${voice}`, 'is not in voices')
  }
  const number = (field: Numbers): number => {
    const { byDefault, min, max } = NUMBERS[field]
    const value = options[field] ?? byDefault
    const isValid = Number.isInteger(value) && value >= min && value <= max
    mustBe(isValid, field, `must be a whole number from ${min} to ${max}`)
    return value
  }
  return {
    url: toUrl(baseUrl),
    headers: {
      'content-type': 'application/json',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    model,
    voices,
    languages: rows.map(({ quality = 'native', ...row }) => ({ ...row, quality })),
    format,
    body,
    repeatable,
    sampleRateHz: number('sampleRateHz'),
    maxConcurrent: number('maxConcurrent'),
    firstAudioTimeoutMs: number('firstAudioTimeoutMs'),
    chunkTimeoutMs: number('chunkTimeoutMs'),
    maxRetries: number('maxRetries'),
    maxRetryDelayMs: number('maxRetryDelayMs'),
  }
}

function mustBe(isValid: boolean, field: string, problem: string): void {
  if (!isValid) throw new EngineOptionsError(field, problem)
}

function mustNotBeOwn(body: Readonly<Record<string, unknown>>, field: string): void {
  for (const member of OWN_MEMBERS)
    mustBe(!Object.hasOwn(body, member), `${field}.${member}`, 'is set by the engine')
}

function toUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new EngineOptionsError('baseUrl', 'must be an http(s) URL')
  // Errors of `fetch` quote the address.
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new EngineOptionsError('baseUrl', 'must not contain credentials, a query or a fragment')
  return `${url.href.replace(/\/+$/, '')}/audio/speech`
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
