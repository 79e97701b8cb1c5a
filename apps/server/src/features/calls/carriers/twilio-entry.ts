import { z } from 'zod'
import { reachableLine } from './reachable-line.ts'

export const twilioSchema = z
  .strictObject({
    type: z.literal('twilio'),
    account_sid: z.string().regex(/^AC[0-9a-fA-F]{32}$/, { error: 'must be AC and 32 hexadecimal digits' }),
    /** Path of a file with the auth token, relative to this file. */
    auth_token_file: z.string().min(1),
    /** An API key that asks in place of the auth token, and the path of a file with its secret. */
    api_key_sid: z
      .string()
      .regex(/^SK[0-9a-fA-F]{32}$/, { error: 'must be SK and 32 hexadecimal digits' })
      .optional(),
    api_key_secret_file: z.string().min(1).optional(),
    ...reachableLine,
  })
  .refine(({ api_key_sid: sid, api_key_secret_file: file }) => (sid === undefined) === (file === undefined), {
    error: 'must have both api_key_sid and api_key_secret_file, or neither',
  })

/** An account of Twilio that places calls, as the operator's file names it. */
export type TwilioEntry = z.output<typeof twilioSchema>
