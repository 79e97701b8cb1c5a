import { z } from 'zod'

/**
 * Whether a POST may leave out its JSON body, because all fields of that are optional. It then counts as an empty object. A PATCH without a
 * body would change nothing.
 */
export const isOptionalBody = ({ method, body }: { method: string; body?: unknown }): boolean =>
  method === 'POST' && body instanceof z.ZodObject && body.safeParse({}).success
