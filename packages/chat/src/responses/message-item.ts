import type { ItemStatus, OutputItem, UnnumberedEvent } from './output-item.ts'

/** Kinds of text, and the member that has it. */
const MEMBERS = { output_text: 'text', refusal: 'refusal' } as const
export type TextKind = keyof typeof MEMBERS

const CONTENT_INDEX = 0

/** A message of the model, with one part. */
export class MessageItem implements OutputItem {
  readonly kind: TextKind
  readonly #id: string
  readonly #place: { item_id: string; output_index: number; content_index: number }
  #text = ''
  #logprobs: unknown[] = []

  constructor(kind: TextKind, id: string, index: number) {
    this.kind = kind
    this.#id = `msg_${id}_${index}`
    this.#place = { item_id: this.#id, output_index: index, content_index: CONTENT_INDEX }
  }

  begin(): UnnumberedEvent[] {
    const { output_index } = this.#place
    const item = this.#itemOf('in_progress', [])
    return [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.content_part.added', ...this.#place, part: this.#part() },
    ]
  }

  push(delta: string, logprobs: readonly unknown[]): UnnumberedEvent[] {
    this.#text += delta
    this.#logprobs.push(...logprobs)
    return [{ type: `response.${this.kind}.delta`, ...this.#place, delta, ...this.#withLogprobs(logprobs) }]
  }

  end(status: ItemStatus): UnnumberedEvent[] {
    const text = { [MEMBERS[this.kind]]: this.#text, ...this.#withLogprobs(this.#logprobs) }
    const { output_index } = this.#place
    return [
      { type: `response.${this.kind}.done`, ...this.#place, ...text },
      { type: 'response.content_part.done', ...this.#place, part: this.#part() },
      { type: 'response.output_item.done', output_index, item: this.item(status) },
    ]
  }

  item(status: ItemStatus): object {
    return this.#itemOf(status, [this.#part()])
  }

  #itemOf(status: ItemStatus, content: readonly object[]): object {
    return { id: this.#id, type: 'message', status, role: 'assistant', content }
  }

  #part(): object {
    if (this.kind === 'refusal') return { type: this.kind, refusal: this.#text }
    return { type: this.kind, text: this.#text, annotations: [], logprobs: [...this.#logprobs] }
  }

  #withLogprobs(logprobs: readonly unknown[]): object {
    return this.kind === 'output_text' ? { logprobs } : {}
  }
}
