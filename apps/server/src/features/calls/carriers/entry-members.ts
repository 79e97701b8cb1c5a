import { z } from 'zod'

/** What the provider of a line allows. Calls beyond it wait. */
export const limits = {
  /** Calls dialled in any second, by all workers. */
  calls_per_second: z.number().int().min(1).max(1000).optional(),
  /** Calls under way at once, in all workers. */
  channels: z.number().int().min(1).max(100_000).optional(),
}

export const host = z
  .string()
  .regex(/^[A-Za-z0-9.:-]{1,253}$/, { error: 'must be a host name or an address' })
export const port = z.number().int().min(1).max(65_535)
export const phoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, { error: 'must be in E.164, such as +97714412345' })
