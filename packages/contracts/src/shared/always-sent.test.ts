import { expect, test } from 'vitest'
import { callSchema } from '../calls/resources.ts'
import { verificationSchema } from '../identity/resources.ts'

test.each([
  ['call', callSchema, { call_id: 'c-1', status: 'queued', to: '+9779812345678', agent_id: 'Support 1' }],
  [
    'verification in review',
    verificationSchema,
    { verification_id: 'v-1', decision: 'review', scores: { liveness: 0.9 }, reasons: [] },
  ],
  ['pending verification', verificationSchema, { verification_id: 'v-1', decision: 'pending', scores: {} }],
])('a reader takes a %s that has only what the specification promises', (_, schema, resource) => {
  expect(schema.parse(resource)).toEqual(resource)
})
