import { expect, test } from 'vitest'
import { identitySettings } from '../settings.ts'
import { describeV1 } from './describe-v1.ts'

const readEnd = (environment: Record<string, string>) => describeV1(identitySettings.read(environment).v1End)

test('version 1 is deprecated, and ends only if the operator says when', () => {
  expect(readEnd({})).toEqual({ deprecation: '@1795132800' })
})

test('an end and a guide are announced', () => {
  const environment = {
    VAANI_KYC_V1_SUNSET: '2027-06-30T12:00:00Z',
    VAANI_KYC_V1_GUIDE_URL: 'https://docs.example.com/kyc v2?a="b"',
  }
  expect(readEnd(environment)).toEqual({
    deprecation: '@1795132800',
    sunset: 'Wed, 30 Jun 2027 12:00:00 GMT',
    link: '<https://docs.example.com/kyc%20v2?a=%22b%22>; rel="deprecation sunset"',
  })
  expect(readEnd({ VAANI_KYC_V1_SUNSET: '2027-06-30' }).sunset).toBe('Wed, 30 Jun 2027 00:00:00 GMT')
  expect(readEnd({ VAANI_KYC_V1_GUIDE_URL: 'https://docs.example.com' }).link).toBe(
    '<https://docs.example.com/>; rel="deprecation"',
  )
})

test.each([
  { VAANI_KYC_V1_SUNSET: 'next summer' },
  { VAANI_KYC_V1_GUIDE_URL: 'javascript:alert(1)' },
  { VAANI_KYC_V1_GUIDE_URL: 'docs' },
])('refuses %j', (environment) => {
  expect(() => readEnd(environment)).toThrow(Object.keys(environment)[0])
})
