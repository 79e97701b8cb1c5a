/** Names under which tools send JSON. The first is the registered one; the second comes from before it was. */
export const JSON_TYPES = ['application/json', 'text/json'] as const
