import { z } from 'zod'

/** In the OpenAPI document, on fields that are optional and that our server sends all the same. */
export const ALWAYS_SENT = 'x-always-sent'

/**
 * Fields that the specification does not have or does not promise. Another service may leave them out, so a reader does
 * without them; our server always sends them.
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
