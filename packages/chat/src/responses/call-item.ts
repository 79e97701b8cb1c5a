import type { ItemStatus, OutputItem, UnnumberedEvent } from './output-item.ts'

/** A call of a function. */
export class CallItem implements OutputItem {
  readonly #id: string
  readonly #index: number
  readonly #callId: string
  readonly #name: string
  #arguments = ''

  constructor(call: { id: string; name: string }, id: string, index: number) {
    this.#id = `fc_${id}_${index}`
    this.#index = index
    // Some servers give their calls no id.
    this.#callId = call.id === '' ? `call_${id}_${index}` : call.id
    this.#name = call.name
  }

  begin(): UnnumberedEvent[] {
    return [{ type: 'response.output_item.added', output_index: this.#index, item: this.item('in_progress') }]
  }

  push(delta: string): UnnumberedEvent[] {
    this.#arguments += delta
    return [{ type: 'response.function_call_arguments.delta', ...this.#place(), delta }]
  }

  end(status: ItemStatus): UnnumberedEvent[] {
    const done = { name: this.#name, arguments: this.#arguments }
    return [
      { type: 'response.function_call_arguments.done', ...this.#place(), ...done },
      { type: 'response.output_item.done', output_index: this.#index, item: this.item(status) },
    ]
  }

  item(status: ItemStatus): object {
    return {
      id: this.#id,
      type: 'function_call',
      status,
      call_id: this.#callId,
      name: this.#name,
      arguments: this.#arguments,
    }
  }

  #place() {
    return { item_id: this.#id, output_index: this.#index }
  }
}
