import { z } from 'zod'
import { callbackUrlSchema, livemodeSchema, timeSchema } from '../shared/checks.ts'
import { idSchema, namedIdSchema } from '../shared/ids.ts'
import { phoneSchema } from '../shared/phone.ts'
import { described } from '../shared/route.ts'
import { TIERS } from '../shared/rates.ts'
import { SCOPES } from '../shared/scopes.ts'
import { lineSchema, textSchema } from '../shared/text.ts'
import { rateOverridesSchema, setRateOverridesSchema } from './rate-overrides.ts'

export const accountIdSchema = idSchema('account')
export const keyIdSchema = idSchema('key')
export const callerIdIdSchema = idSchema('caller_id')

const nameSchema = lineSchema.min(1).max(100)
const tierSchema = z.enum(TIERS).meta({ description: 'Sets the rate limits.' })

const identityPolicySchema = described(
  textSchema.min(1).max(64).nullable(),
  'Name of the policy that decides the account’s verifications; null uses the server’s.',
)
const mediaRetentionSchema = described(
  z.int().min(0).max(3650).nullable(),
  'Days to keep the media of a verification after its decision; null uses the server’s setting.',
)
const recordingRetentionSchema = described(
  z.int().min(0).max(3650).nullable(),
  'Days to keep the recording of a call after the call has ended; null uses the server’s setting.',
)
const webhooksIncludeExtractedSchema = described(
  z.boolean(),
  'Whether webhooks of final decisions have `extracted`: the fields read from the document. Applies to decisions made from then ' +
    'on; false also applies to deliveries that have not been sent yet.',
)
const callWebhookSchema = described(
  callbackUrlSchema.nullable(),
  'Receives the events of calls placed with keys of this mode; each mode has its own URL. Requires a webhook secret of ' +
    'that mode, which `POST /webhooks/rotate-secret` creates.',
)

export const accountSchema = z
  .object({
    account_id: accountIdSchema,
    name: nameSchema,
    tier: tierSchema,
    operator: z
      .boolean()
      .meta({ description: 'Whether the account’s admin keys may manage other accounts.' }),
    call_webhook_url: callWebhookSchema,
    rate_overrides: rateOverridesSchema,
    identity_policy: identityPolicySchema,
    media_retention_days: mediaRetentionSchema,
    recording_retention_days: recordingRetentionSchema,
    webhooks_include_extracted: webhooksIncludeExtractedSchema,
    created_at: timeSchema,
  })
  .meta({ id: 'Account' })
export type Account = z.output<typeof accountSchema>

export const createdAccountSchema = accountSchema
  .extend({
    webhook_secret: z.string().meta({
      description:
        'Signs deliveries to callback URLs and to the call webhook, in the mode of the requesting key. Shown only once.',
    }),
  })
  .meta({ id: 'CreatedAccount' })

export const createAccountSchema = z
  .strictObject({
    name: nameSchema,
    tier: tierSchema.default('starter'),
    call_webhook_url: described(
      callWebhookSchema,
      'Receives the events of calls placed with keys of the requesting key’s mode.',
    ).default(null),
    rate_overrides: setRateOverridesSchema.default({}),
    identity_policy: identityPolicySchema.default(null),
    media_retention_days: mediaRetentionSchema.default(null),
    recording_retention_days: recordingRetentionSchema.default(null),
    webhooks_include_extracted: webhooksIncludeExtractedSchema.default(false),
  })
  .meta({ id: 'CreateAccountRequest', examples: [{ name: 'Patan Clinic', tier: 'pro' }] })

export const updateAccountSchema = z
  .strictObject({
    name: nameSchema.optional(),
    tier: tierSchema.optional(),
    call_webhook_url: callWebhookSchema.optional(),
    rate_overrides: setRateOverridesSchema.optional(),
    identity_policy: identityPolicySchema.optional(),
    media_retention_days: mediaRetentionSchema.optional(),
    recording_retention_days: recordingRetentionSchema.optional(),
    webhooks_include_extracted: webhooksIncludeExtractedSchema.optional(),
  })
  .meta({ id: 'UpdateAccountRequest', examples: [{ name: 'Patan Clinic' }] })

const scopesSchema = z.array(z.enum(SCOPES)).min(1).meta({ description: 'Permissions of the key.' })

/** Account that an admin request acts on: the key's own, unless an operator names another. */
export const onAccountSchema = described(
  namedIdSchema('account', 'not_found'),
  'Account to act on; defaults to the key’s own. Only an operator’s key may name another.',
).optional()

export const createKeySchema = z
  .strictObject({
    account_id: onAccountSchema,
    name: nameSchema,
    scopes: scopesSchema,
    livemode: z.boolean().optional().meta({
      description:
        'Mode of the new key; defaults to the mode of the requesting key. A test key can create only test keys.',
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
      .meta({ description: 'First characters of the key, to tell keys apart.', examples: ['sk_test_4fz9'] }),
    created_at: timeSchema,
    revoked_at: described(timeSchema.nullable(), 'When the key was revoked; null while it is valid.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key without its secret.' })

export const createdKeySchema = apiKeySchema
  .extend({ key: z.string().meta({ description: 'The key itself; shown only once.' }) })
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
  .meta({
    id: 'CallerId',
    description: 'A phone number that the operator has verified as belonging to the account.',
  })

export const auditEntrySchema = z
  .object({
    entry_id: idSchema('audit'),
    action: z.string().meta({
      description:
        'A change of keys or members, or the operation of a request that a page of the console made: each one that changed something, and each look at personal data, at most once in ten minutes.',
      examples: ['key.created', 'reviews.media'],
    }),
    object_id: described(z.string().nullable(), 'Id of what was changed or looked at, if it is one object.'),
    key_id: described(keyIdSchema.nullable(), 'Who did it; null for a person at the machine of the server.'),
    name: z.string().meta({ description: 'Name of the member or the key.' }),
    created_at: timeSchema,
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.output<typeof auditEntrySchema>
