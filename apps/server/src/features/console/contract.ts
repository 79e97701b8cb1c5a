import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { defineRoute, MEMBER_ROLES, SCOPES, TIERS } from '@vaani/contracts'
import { z } from 'zod'

/** Whom the console acts for. */
const sessionSchema = z.object({
  account_id: z.string(),
  key_id: z.string(),
  livemode: z.boolean(),
  operator: z.boolean(),
  /** Whether it may steer a migration of KYC. */
  migration: z.boolean(),
  tier: z.enum(TIERS),
  scopes: z.array(z.enum(SCOPES)),
  /** The person; null for a session that stands for a key. */
  member: z
    .object({
      member_id: z.string(),
      name: z.string(),
      role: z.enum(MEMBER_ROLES),
      /** Whether they may go on in the other mode. */
      in_both_modes: z.boolean(),
    })
    .nullable(),
})
export type ConsoleSession = z.output<typeof sessionSchema>

const secretSchema = z.string().max(200)

const MAX_PASSKEY_FIELD = 65_536
const bytesSchema = z.base64url().max(MAX_PASSKEY_FIELD)
/** What every answer of a passkey has beside its own bytes. */
const answerFields = {
  id: bytesSchema,
  rawId: bytesSchema,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
}
/** `RegistrationResponseJSON` of WebAuthn, as far as it is read. */
const madePasskeySchema = z.object({
  ...answerFields,
  response: z.object({ clientDataJSON: bytesSchema, attestationObject: bytesSchema }),
})
/** `AuthenticationResponseJSON` of WebAuthn, as far as it is read. */
const passkeyAnswerSchema = z.object({
  ...answerFields,
  response: z.object({ clientDataJSON: bytesSchema, authenticatorData: bytesSchema, signature: bytesSchema }),
})

/** Between the console and its server only, so no part of the public contract. */
export const consoleRoutes = {
  signIn: defineRoute({
    operation: 'console.signIn',
    method: 'POST',
    path: '/console/session',
    summary: 'Exchange a key, the secret of a link, or a passkey for a session',
    description: 'The session is a cookie that no script can read.',
    access: 'public',
    addressLimit: 'failed_authentications',
    secretAnswer: true,
    body: z.union([
      z.strictObject({ key: secretSchema }),
      z.strictObject({ link: secretSchema }),
      z.strictObject({ invitation: secretSchema, made: madePasskeySchema }),
      z.strictObject({ passkey: passkeyAnswerSchema }),
    ]),
    success: { 200: sessionSchema },
    errors: ['unauthorized', 'forbidden'],
  }),
  beginPasskey: defineRoute({
    operation: 'console.beginPasskey',
    method: 'POST',
    path: '/console/passkey',
    summary: 'Begin to make a passkey for an invitation, or to ask for one',
    description: 'Answers what the browser needs.',
    access: 'public',
    addressLimit: 'failed_authentications',
    secretAnswer: true,
    body: z.strictObject({ invitation: secretSchema.optional() }),
    success: {
      200: z.union([
        z.object({ name: z.string(), make: z.custom<PublicKeyCredentialCreationOptionsJSON>() }),
        z.object({ ask: z.custom<PublicKeyCredentialRequestOptionsJSON>() }),
      ]),
    },
    errors: ['unauthorized', 'forbidden'],
  }),
  beginOidc: defineRoute({
    operation: 'console.beginOidc',
    method: 'POST',
    path: '/console/oidc',
    summary: 'Begin to sign in at the operator’s OpenID provider',
    description: 'Answers where to go, and sets a cookie for the way back.',
    access: 'public',
    addressLimit: 'failed_authentications',
    secretAnswer: true,
    body: z.strictObject({ invitation: secretSchema.optional() }),
    success: { 200: z.object({ url: z.url() }) },
    errors: ['unauthorized', 'forbidden', 'not_found', 'service_unavailable'],
  }),
  switchMode: defineRoute({
    operation: 'console.switchMode',
    method: 'POST',
    path: '/console/session/mode',
    summary: 'Go on in the other mode',
    description: 'For members who may work in it. Replaces the session.',
    access: 'public',
    addressLimit: 'public_documents',
    secretAnswer: true,
    body: z.strictObject({ livemode: z.boolean() }),
    success: { 200: sessionSchema },
    errors: ['unauthorized', 'forbidden'],
  }),
  read: defineRoute({
    operation: 'console.readSession',
    method: 'GET',
    path: '/console/session',
    summary: 'Read the session',
    description: 'Null without one, beside how to sign in.',
    access: 'public',
    addressLimit: 'public_documents',
    success: {
      200: z.object({
        session: sessionSchema.nullable(),
        /** Whether members can sign in at the operator's OpenID provider. */
        oidc: z.boolean(),
      }),
    },
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

/** A stream, so it is mounted by itself. */
export const eventsRoute = defineRoute({
  operation: 'console.events',
  method: 'GET',
  path: '/console/events',
  summary: 'Follow what happens',
  description:
    'Server-sent events: the type of each event that the session may read, and the id of its object, so that the page reads that again. ' +
    '`Last-Event-ID` goes on where an earlier stream ended; the event `reset` says that something may be missing.',
  access: 'public',
  addressLimit: 'public_documents',
  query: z.object({ key_id: z.string() }),
  success: { 200: z.string() },
  errors: ['unauthorized', 'forbidden', 'rate_limit_exceeded', 'service_unavailable'],
})
