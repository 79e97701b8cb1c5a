import { VaultError } from '@vaani/service-kit/vault/vault'
import type { Delivery } from '../lanes/delivery.ts'

/**
 * Reads a field that must not be stored with its event, because an erasure could not reach it there, or because it is sealed.
 *
 * @returns its JSON value; undefined leaves the field out
 */
export type ReadLateField = (objectId: string) => Promise<object | null | undefined>

/** A body as it is sent. */
export interface CompleteBody {
  body: string
  /** Whether it has what must not be stored, so that the response, which may repeat it, must not be stored either. */
  isSecret: boolean
}

/** Fields that are added to the data of events when they are sent, by name. */
export interface LateFields {
  provide(field: string, read: ReadLateField): void
  /** @throws UnreadableFieldError if what is sealed cannot be opened */
  complete(delivery: Pick<Delivery, 'late_field' | 'object_id' | 'body'>): Promise<CompleteBody>
}

/** What was sealed for one delivery cannot be opened, which a person must look into. Other deliveries are not affected. */
export class UnreadableFieldError extends Error {
  override readonly name = 'UnreadableFieldError'
  readonly code = 'unreadable_field'

  constructor(cause: VaultError) {
    super('A field of an event cannot be opened', { cause })
  }
}

export function createLateFields(): LateFields {
  const readers = new Map<string, ReadLateField>()
  return {
    provide: (field, read) => void readers.set(field, read),
    async complete({ late_field: field, object_id, body }) {
      if (field === null) return { body, isSecret: false }
      const read = readers.get(field)
      if (read === undefined) throw new Error(`No feature provides the field ${field}`)
      const value = await read(object_id).catch((error: unknown) => {
        throw error instanceof VaultError ? new UnreadableFieldError(error) : error
      })
      if (value === undefined) return { body, isSecret: false }
      const event: { data: object } = JSON.parse(body)
      const data = { ...event.data, [field]: value }
      return { body: JSON.stringify({ ...event, data }), isSecret: value !== null }
    },
  }
}
