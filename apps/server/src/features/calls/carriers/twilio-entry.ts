import { z } from 'zod'
import { limits, phoneNumber, port } from './entry-members.ts'

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** URL of a server that is ours or the provider's. Without TLS only on this machine, because tokens and voices pass. */
const address = z
  .url({ error: 'must be a URL' })
  .refine((text) => URL.canParse(text) && isSafe(new URL(text)), {
    error: 'must begin with https://, and have no user, query or fragment',
  })

const isSafe = ({ protocol, hostname, username, password, search, hash }: URL): boolean =>
  (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))) &&
  [username, password, search, hash].every((part) => part === '')

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
    /** Origin of the REST API of a region. */
    api_url: address.optional(),
    caller_id: phoneNumber,
    public_url: address,
    listen_address: z.union([z.ipv4(), z.ipv6()]).default('127.0.0.1'),
    listen_port: port,
    ...limits,
  })
  .refine(({ api_key_sid: sid, api_key_secret_file: file }) => (sid === undefined) === (file === undefined), {
    error: 'must have both api_key_sid and api_key_secret_file, or neither',
  })

/** An account of Twilio that places calls, as the operator's file names it. */
export type TwilioEntry = z.output<typeof twilioSchema>
