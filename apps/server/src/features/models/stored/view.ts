import { ChatError, type ChatObject } from '@vaani/chat'

/** Ids that can be part of a path. */
const ID = /^[\w.-]{1,200}$/

/** Returns what an upstream says of an object, which has an id. @throws ChatError if it has none that can be used */
export function withId(view: ChatObject): ChatObject & { readonly id: string } {
  const { id } = view
  if (typeof id === 'string' && ID.test(id)) return { ...view, id }
  throw new ChatError('provider_failed', 'The server sent an object without an id')
}
