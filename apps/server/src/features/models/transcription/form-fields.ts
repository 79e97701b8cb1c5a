import { LIMITS, readInput, sizeText, textSchema, TRANSCRIPTION_PARTS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { toValidationError } from '@vaani/service-kit/http/errors/validation-error'

/** The text parts of a form; those that may be sent several times are lists. */
export type Fields = { readonly model: string } & Readonly<Record<string, string | readonly string[]>>

const { file: _, ...texts } = TRANSCRIPTION_PARTS
const SCHEMAS = new Map(Object.entries(texts).map(([name, { schema }]) => [name, schema]))
/** Names of parts, as clients of OpenAI write lists and objects: `include[]`, `chunking_strategy[type]`. */
const NAME = /^[\w.[\]-]{1,100}$/

/** Collects the text parts of a form. Unknown ones are kept, as fields of chats are. */
export class FormFields {
  readonly #values = new Map<string, string | string[]>()
  #bytes = 0

  /** @throws ApiError naming the part */
  add(name: string, value: unknown): void {
    if (!NAME.test(name))
      throw new ApiError('invalid_request', 'The form has an unknown part', { param: name.slice(0, 100) })
    const parsed = readInput(SCHEMAS.get(name) ?? textSchema, value)
    if (!parsed.success) throw invalid(name, parsed.error.issues)
    const text = String(parsed.data)
    this.#bytes += Buffer.byteLength(text)
    if (this.#bytes > LIMITS.jsonBodyBytes)
      throw new ApiError(
        'payload_too_large',
        `${name}: the texts of the form are over ${sizeText(LIMITS.jsonBodyBytes)}`,
        { param: name },
      )
    const earlier = this.#values.get(name)
    if (name.endsWith('[]')) this.#values.set(name, [...(earlier ?? []), text])
    else if (earlier === undefined) this.#values.set(name, text)
    else throw new ApiError('invalid_request', `${name}: is sent twice`, { param: name })
  }

  /** @throws ApiError if the model is missing */
  complete(): Fields {
    const model = this.#values.get('model')
    if (typeof model !== 'string')
      throw new ApiError('invalid_request', 'model: is required', { param: 'model' })
    return { ...Object.fromEntries(this.#values), model }
  }
}

function invalid(name: string, issues: readonly { path: PropertyKey[]; message: string }[]): ApiError {
  const body = issues.map((issue) => ({ ...issue, path: [name] }))
  return toValidationError({ path: [], headers: [], query: [], body })
}
