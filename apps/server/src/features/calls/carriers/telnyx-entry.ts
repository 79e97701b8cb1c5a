import { z } from 'zod'
import { reachableLine } from './reachable-line.ts'

export const telnyxSchema = z.strictObject({
  type: z.literal('telnyx'),
  account_sid: z.string().regex(/^[A-Za-z0-9-]{8,64}$/, { error: 'must be the id of an account' }),
  /** The TeXML application that places the calls. */
  application_sid: z.string().regex(/^\d{1,32}$/, { error: 'must be the number of a TeXML application' }),
  /** Path of a file with the API key, relative to this file. */
  api_key_file: z.string().min(1),
  public_key: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, { error: 'must be the public key of the account, in base64' }),
  ...reachableLine,
})

/** An account of Telnyx that places calls, as the operator's file names it. */
export type TelnyxEntry = z.output<typeof telnyxSchema>
