import { expect, test } from 'vitest'
import { chooseRoute } from './choose-route.ts'

test.each([
  ['POST', '/identity/kyc/v1', { name: 'submit_v1' }],
  ['POST', '/identity/kyc/v1?a=b', { name: 'submit_v1' }],
  ['POST', '/identity/kyc/v2', { name: 'submit_v2' }],
  ['GET', '/identity/kyc/v1', { name: 'other' }],
  ['POST', '/identity/kyc/v1/', { name: 'other' }],
  ['GET', '/identity/verifications/ver_1', { name: 'verification', verificationId: 'ver_1' }],
  [
    'GET',
    '/identity/verifications/ver_1?include_media=extracted',
    { name: 'verification', verificationId: 'ver_1' },
  ],
  ['POST', '/identity/verifications/ver_1/review', { name: 'verification', verificationId: 'ver_1' }],
  ['DELETE', '/identity/verifications/ver_1/media', { name: 'verification', verificationId: 'ver_1' }],
  ['GET', '/identity/verifications', { name: 'other' }],
  ['GET', '/identity/verifications/', { name: 'other' }],
  ['GET', '/identity/subjects/ver_1', { name: 'other' }],
  ['GET', '/', { name: 'other' }],
])('%s %s', (method, path, route) => {
  expect(chooseRoute(method, path)).toEqual(route)
})
