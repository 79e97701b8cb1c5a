/** Reads the event's id from the body, which the signature of every scheme covers. */
export function readEventId(event: unknown): string | undefined {
  const id = (event as { readonly event_id?: unknown } | null)?.event_id
  return typeof id === 'string' ? id : undefined
}
