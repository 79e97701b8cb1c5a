import { z } from 'zod'

/** OpenAPI extension that marks optional fields which our server nevertheless always sends. */
export const ALWAYS_SENT = 'x-always-sent'

/**
 * Makes fields optional that the specification lacks or does not promise. Readers must cope without them, because another
 * service may leave them out; our server always sends them.
 *
 * @example
 * const sent = alwaysSent(z.object({ created_at: timeSchema }))
 * z.object({ call_id: z.string(), created_at: sent.created_at })
 */
export function alwaysSent<Shape extends z.ZodRawShape>(fields: z.ZodObject<Shape>) {
  const { shape } = fields.partial()
  for (const field of Object.values(shape)) z.globalRegistry.add(field, { [ALWAYS_SENT]: true })
  return shape
}
