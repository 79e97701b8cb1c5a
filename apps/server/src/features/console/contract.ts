import { defineRoute, SCOPES, TIERS } from '@vaani/contracts'
import { z } from 'zod'

/** Whom the console acts for. */
const sessionSchema = z.object({
  account_id: z.string(),
  key_id: z.string(),
  livemode: z.boolean(),
  operator: z.boolean(),
  tier: z.enum(TIERS),
  scopes: z.array(z.enum(SCOPES)),
})
export type ConsoleSession = z.output<typeof sessionSchema>

const MAX_SECRET_LENGTH = 200

/** Between the console and its server only, so no part of the public contract. */
export const consoleRoutes = {
  signIn: defineRoute({
    operation: 'console.signIn',
    method: 'POST',
    path: '/console/session',
    summary: 'Exchange a key, or the secret of a link, for a session',
    description: 'The session is a cookie that no script can read.',
    access: 'public',
    addressLimit: 'failed_authentications',
    secretAnswer: true,
    body: z.union([
      z.strictObject({ key: z.string().max(MAX_SECRET_LENGTH) }),
      z.strictObject({ link: z.string().max(MAX_SECRET_LENGTH) }),
    ]),
    success: { 200: sessionSchema },
    errors: ['unauthorized', 'forbidden'],
  }),
  read: defineRoute({
    operation: 'console.readSession',
    method: 'GET',
    path: '/console/session',
    summary: 'Read the session',
    description: 'Null without one.',
    access: 'public',
    addressLimit: 'public_documents',
    success: { 200: z.object({ session: sessionSchema.nullable() }) },
    errors: ['forbidden'],
  }),
  signOut: defineRoute({
    operation: 'console.signOut',
    method: 'DELETE',
    path: '/console/session',
    summary: 'End the session',
    description: 'With `everywhere`, ends all sessions that stand for the same key.',
    access: 'public',
    addressLimit: 'public_documents',
    query: z.object({ everywhere: z.stringbool().optional() }),
    success: { 200: z.object({ status: z.literal('signed_out') }) },
    errors: ['forbidden'],
  }),
}
