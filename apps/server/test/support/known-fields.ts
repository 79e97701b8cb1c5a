import {
  CONCURRENCY_LIMITS,
  RATE_LIMITS,
  RATE_OVERRIDE_BOUNDS,
  setRateOverridesSchema,
} from '@vaani/contracts'

export const LATER = '2027-01-01T00:00:00Z'

const { limit } = RATE_OVERRIDE_BOUNDS
/** The highest allowed limits, so that a test with many requests does not reach one. */
export const UNLIMITED = setRateOverridesSchema.parse({
  ...Object.fromEntries(Object.keys(RATE_LIMITS).map((name) => [name, { limit, period_seconds: 1 }])),
  ...Object.fromEntries(Object.keys(CONCURRENCY_LIMITS).map((name) => [name, { limit }])),
})

/** Queries of operations that need one. */
export const KNOWN_QUERIES: Readonly<Record<string, string>> = { 'reviews.media': '?artifact=front_image' }

/** Fields of valid requests, by operation, that the schema alone cannot determine: references to existing objects. */
export const KNOWN_FIELDS: Readonly<Record<string, object>> = {
  'calls.place': { agent_id: 'reminder', from_caller_id: undefined, scheduled_at: LATER },
  'speech.stream': { voice: 'nova', language: 'en-US', input: 'Hello.' },
  'synthesis.synthesize': { voice: 'default', language: 'en-US', text: 'Hello.' },
  'synthesis.stream': { voice: 'default', language: 'en-US', input: 'Hello.' },
  'models.speech': {
    model: 'tts-1',
    voice: 'alloy',
    language: 'en-US',
    input: 'Hello.',
  },
  // Only a decline has reasons.
  'identity.review': { decision: 'declined' },
  'deployments.create': { options: undefined },
  // The built-in model refuses what it cannot answer, such as a schema without a value.
  'models.chat': {
    model: 'vaani-echo',
    messages: [{ role: 'user', content: 'Hello.' }],
    tools: undefined,
    tool_choice: undefined,
    response_format: undefined,
    logprobs: undefined,
    n: undefined,
  },
  'models.respond': {
    model: 'vaani-echo',
    input: 'Hello.',
    tools: undefined,
    tool_choice: undefined,
    text: undefined,
    include: undefined,
  },
  'batches.create': {
    endpoint: '/v1/chat/completions',
    requests: [
      { custom_id: 'one', body: { model: 'vaani-echo', messages: [{ role: 'user', content: 'Hello.' }] } },
    ],
    callback_url: undefined,
  },
  // No number that the tests call.
  'doNotCall.add': { phone_number: '+9779800000001' },
  'doNotCall.addForAll': { phone_number: '+9779800000001' },
  'callerIds.start': { phone_number: '+9779800000005' },
  'lexicons.replace': { entries: [{ term: 'KYC', spoken_as: 'know your customer' }], version: undefined },
  'admin.createKey': { account_id: undefined, livemode: undefined },
  'members.invite': { account_id: undefined, livemode: undefined },
  'members.update': { name: 'Named', livemode: false },
  'admin.addCallerId': { account_id: undefined },
  'admin.updateAccount': {
    name: 'Named',
    call_webhook_url: null,
    identity_policy: 'default',
    rate_overrides: UNLIMITED,
  },
  'admin.upsertAgent': { voice: 'nova' },
  'admin.createAccount': { call_webhook_url: null, identity_policy: null },
  'webhooks.createEndpoint': { url: 'https://example.com/hooks' },
  'identity.reconsider': { policy: 'default' },
  'webhooks.updateEndpoint': { url: 'https://example.com/hooks', enabled: true },
  'webhooks.rotateSecret': { overlap_hours: 1 },
  'webhooks.rotateAccountSecret': { overlap_hours: 1, account_id: undefined },
}

/** Also fields that are valid in more ways than the engine of the tests follows, for requests that must succeed. */
export const SERVED_FIELDS: typeof KNOWN_FIELDS = {
  ...KNOWN_FIELDS,
  'models.speech': { ...KNOWN_FIELDS['models.speech'], speed: 1.5, instructions: 'calm' },
}
