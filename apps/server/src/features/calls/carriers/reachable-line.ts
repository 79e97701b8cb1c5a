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

/** Members of every line whose provider asks us, and opens the media to us. */
export const reachableLine = {
  /** Where the provider's REST API is, if not at its usual place. */
  api_url: address.optional(),
  caller_id: phoneNumber,
  public_url: address,
  listen_address: z.union([z.ipv4(), z.ipv6()]).default('127.0.0.1'),
  listen_port: port,
  ...limits,
}
