/** An event of a streamed response, before it has its `sequence_number`. */
export type UnnumberedEvent = { readonly type: string; readonly [field: string]: unknown }

/** An event of a streamed response, in the wire format. */
export type ResponseEvent = UnnumberedEvent & { readonly sequence_number: number }

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

/** One item of a response while it is written. */
export interface OutputItem {
  begin(): UnnumberedEvent[]
  end(status: ItemStatus): UnnumberedEvent[]
  item(status: ItemStatus): object
}
