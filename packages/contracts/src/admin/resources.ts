import { z } from 'zod'
import { callbackUrlSchema, livemodeSchema, timeSchema } from '../shared/checks.ts'
import { accountIdSchema, callerIdIdSchema, keyIdSchema, namedIdSchema } from '../shared/ids.ts'
import { phoneSchema } from '../shared/phone.ts'
import { described } from '../shared/route.ts'
import { SCOPES, TIERS } from '../shared/scopes.ts'
import { lineSchema, textSchema } from '../shared/text.ts'
import { rateOverridesSchema, setRateOverridesSchema } from './rate-overrides.ts'

const nameSchema = lineSchema.min(1).max(100)
const tierSchema = z.enum(TIERS).meta({ description: 'Decides the rate limits.' })

const identityPolicySchema = described(
  textSchema.min(1).max(64),
  'Name of the policy that decides the account’s verifications; null: the server’s own.',
).nullable()
const mediaRetentionSchema = described(
  z.int().min(0).max(3650),
  'Days that the media of a verification is kept after its decision; null: as the server’s own.',
).nullable()
const recordingRetentionSchema = described(
  z.int().min(0).max(3650),
  'Days that the recording of a call is kept after the call has ended; null: as the server’s own.',
).nullable()

export const accountSchema = z
  .object({
    account_id: accountIdSchema,
    name: nameSchema,
    tier: tierSchema,
    operator: z.boolean().meta({ description: 'Whether its admin keys may manage other accounts.' }),
    call_webhook_url: described(
      callbackUrlSchema,
      'Receives the events of calls that keys of this mode place; each mode has its own. Needs a webhook secret of that ' +
        'mode: `POST /webhooks/rotate-secret` shows one.',
    ).nullable(),
    rate_overrides: rateOverridesSchema,
    identity_policy: identityPolicySchema,
    media_retention_days: mediaRetentionSchema,
    recording_retention_days: recordingRetentionSchema,
    created_at: timeSchema,
  })
  .meta({ id: 'Account' })
export type Account = z.output<typeof accountSchema>

export const createdAccountSchema = accountSchema
  .extend({
    webhook_secret: z.string().meta({
      description:
        'Signs what is sent to callback URLs and to the call webhook in the mode of the asking key; shown this once.',
    }),
  })
  .meta({ id: 'CreatedAccount' })

export const createAccountSchema = z
  .strictObject({
    name: nameSchema,
    tier: tierSchema.default('starter'),
    call_webhook_url: callbackUrlSchema.nullable().default(null),
    rate_overrides: setRateOverridesSchema.default({}),
    identity_policy: identityPolicySchema.default(null),
    media_retention_days: mediaRetentionSchema.default(null),
    recording_retention_days: recordingRetentionSchema.default(null),
  })
  .meta({ id: 'CreateAccountRequest', examples: [{ name: 'Patan Clinic', tier: 'pro' }] })

export const updateAccountSchema = z
  .strictObject({
    name: nameSchema.optional(),
    tier: tierSchema.optional(),
    call_webhook_url: callbackUrlSchema.nullable().optional(),
    rate_overrides: setRateOverridesSchema.optional(),
    identity_policy: identityPolicySchema.optional(),
    media_retention_days: mediaRetentionSchema.optional(),
    recording_retention_days: recordingRetentionSchema.optional(),
  })
  .meta({ id: 'UpdateAccountRequest', examples: [{ name: 'Patan Clinic' }] })

const scopesSchema = z.array(z.enum(SCOPES)).min(1)

/** Which account an admin request is for: the key's own unless an operator names another. */
export const onAccountSchema = described(
  namedIdSchema('account', 'not_found'),
  'Account it is for; default: the key’s own. Only an operator’s key may name another.',
).optional()

export const createKeySchema = z
  .strictObject({
    account_id: onAccountSchema,
    name: nameSchema,
    scopes: scopesSchema,
    livemode: z.boolean().optional().meta({
      description:
        'Mode of the new key; default: that of the key that asks. A test key makes test keys only.',
    }),
  })
  .meta({ id: 'CreateKeyRequest', examples: [{ name: 'reminders', scopes: ['calls:write', 'calls:read'] }] })

export const apiKeySchema = z
  .object({
    key_id: keyIdSchema,
    account_id: accountIdSchema,
    name: nameSchema,
    scopes: scopesSchema,
    livemode: livemodeSchema,
    hint: z
      .string()
      .meta({ description: 'Start of the key, to tell keys apart.', examples: ['sk_test_4fz9'] }),
    created_at: timeSchema,
    revoked_at: timeSchema.nullable(),
  })
  .meta({ id: 'ApiKey', description: 'An API key without its secret.' })

export const createdKeySchema = apiKeySchema
  .extend({ key: z.string().meta({ description: 'The secret; shown this once.' }) })
  .meta({ id: 'CreatedApiKey' })

export const addCallerIdSchema = z
  .strictObject({ account_id: onAccountSchema, phone_number: phoneSchema })
  .meta({ id: 'AddCallerIdRequest', examples: [{ phone_number: '+9779801234567' }] })

export const callerIdSchema = z
  .object({
    caller_id_id: callerIdIdSchema,
    account_id: accountIdSchema,
    phone_number: z.string(),
    livemode: livemodeSchema,
    verified_at: timeSchema,
  })
  .meta({ id: 'CallerId', description: 'A number that the operator has verified to be the account’s.' })
