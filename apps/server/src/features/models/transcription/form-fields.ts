import { LIMITS, type PartDefinition, readInput, sizeText, textSchema } from '@vaani/contracts'
import { isLeftEmpty } from '@vaani/service-kit/http/body/form'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { toValidationError } from '@vaani/service-kit/http/errors/validation-error'

/** The text parts of a form; those that may be sent several times are lists. */
export type Fields = Readonly<Record<string, string | readonly string[]>>

/** Names of parts, as clients of OpenAI write lists and objects: `include[]`, `chunking_strategy[type]`. */
const NAME = /^[\w.[\]-]{1,100}$/

/** Collects the text parts of a form. Unknown ones are kept, as fields of chats are. */
export class FormFields {
  readonly #parts: ReadonlyMap<string, PartDefinition>
  readonly #values = new Map<string, string | string[]>()
  #bytes = 0

  constructor(parts: Readonly<Record<string, PartDefinition>>) {
    this.#parts = new Map(Object.entries(parts))
  }

  /** @throws ApiError naming the part */
  add(name: string, value: unknown): void {
    if (!NAME.test(name))
      throw new ApiError('invalid_request', 'The form has an unknown part', { param: name.slice(0, 100) })
    const part = this.#parts.get(name)
    // Parts that are not in the contract are for the upstream, so they are passed on as they are.
    if (part !== undefined && isLeftEmpty(value, part)) return
    const parsed = readInput(part?.kind === 'text' ? part.schema : textSchema, value)
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

  /** @throws ApiError if a part is missing */
  complete(): Fields {
    for (const [param, { kind, required }] of this.#parts)
      if (kind === 'text' && required && !this.#values.has(param))
        throw new ApiError('invalid_request', `${param}: is missing`, { param })
    return Object.fromEntries(this.#values)
  }
}

function invalid(name: string, issues: readonly { path: PropertyKey[]; message: string }[]): ApiError {
  const body = issues.map((issue) => ({ ...issue, path: [name] }))
  return toValidationError({ path: [], headers: [], query: [], body })
}
