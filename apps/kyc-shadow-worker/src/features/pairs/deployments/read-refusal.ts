import { z } from 'zod'
import type { ProbeResult } from './probe.ts'

const errorBodySchema = z.object({ error: z.object({ param: z.string().nullish(), message: z.string() }) })
const MOST_MESSAGE_CHARACTERS = 300

/** Why a deployment did not accept a submission of a check, which has nothing of a person in it. */
export interface Refusal {
  readonly param: string | null
  readonly message: string
}

/** Returns null if the answer is a success. */
export function readRefusal(answer: ProbeResult): Refusal | null {
  if (answer.status === null) return { param: null, message: `no answer (${answer.cause})` }
  if (answer.status < 300) return null
  const parsed = errorBodySchema.safeParse(answer.body)
  if (!parsed.success) return { param: null, message: `status ${answer.status}` }
  const { param = null, message } = parsed.data.error
  return { param, message: message.slice(0, MOST_MESSAGE_CHARACTERS) }
}
