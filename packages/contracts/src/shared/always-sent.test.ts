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
  [
    'verification with the fields and scores of another engine',
    verificationSchema,
    {
      verification_id: 'v-1',
      decision: 'approved',
      scores: { liveness: 0.9 },
      extracted: { full_name: 'Sita' },
    },
  ],
  ['pending verification', verificationSchema, { verification_id: 'v-1', decision: 'pending', scores: {} }],
])('a reader accepts a %s that has only the fields the specification promises', (_, schema, resource) => {
  expect(schema.parse(resource)).toEqual(resource)
})

test('a reader ignores an unknown score', () => {
  const verification = { verification_id: 'v-1', decision: 'pending', scores: { hologram: 0.5, liveness: 1 } }
  expect(verificationSchema.parse(verification).scores).toEqual({ liveness: 1 })
})
