/** In the body, so that every scheme's signature covers it. */
export function readEventId(event: unknown): string | undefined {
  const id = (event as { readonly event_id?: unknown } | null)?.event_id
  return typeof id === 'string' ? id : undefined
}
