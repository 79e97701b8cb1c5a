import { z } from 'zod'

/** Whether a request may leave out its JSON body, because all fields of that are optional. It then counts as an empty object. */
export const isOptionalBody = (body: unknown): boolean =>
  body instanceof z.ZodObject && body.safeParse({}).success
