import { z } from 'zod'

/** Splits a comma-separated list. */
export const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** Aborts, so that what follows can rely on a URL. */
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL', abort: true })

/** Makes a variable optional. An empty variable counts as unset. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

export const cidrs = z
  .string()
  .transform(list)
  .pipe(z.array(z.union([z.cidrv4(), z.cidrv6()], { error: 'must be CIDR ranges' })))

/** A retention in days. */
export const retentionDays = z.coerce.number().min(0).max(3650)
