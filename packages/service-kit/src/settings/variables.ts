import { z } from 'zod'

/** The items of a list that commas separate. */
export const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** An empty variable means the same as none. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

export const cidrs = z
  .string()
  .transform(list)
  .pipe(z.array(z.union([z.cidrv4(), z.cidrv6()], { error: 'must be CIDR ranges' })))

/** How long something is kept. */
export const retentionDays = z.coerce.number().min(0).max(3650)
