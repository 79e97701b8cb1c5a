import { z } from 'zod'
import { reachableLine } from './reachable-line.ts'

export const vonageSchema = z.strictObject({
  type: z.literal('vonage'),
  /** The application that places the calls. */
  application_id: z.uuid({ error: 'must be the id of an application' }),
  /** Paths of files with the application's private key in PEM, and the account's signature secret, relative to this file. */
  private_key_file: z.string().min(1),
  signature_secret_file: z.string().min(1),
  ...reachableLine,
})

/** An application of Vonage that places calls, as the operator's file names it. */
export type VonageEntry = z.output<typeof vonageSchema>
