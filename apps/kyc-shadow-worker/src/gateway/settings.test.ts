import { findUnfitRefusals } from '@vaani/test-harness'
import { expect, test } from 'vitest'
import { features } from '../features.ts'
import { gatewaySettings } from './settings.ts'

const REQUIRED = {
  VAANI_SHADOW_PRIMARY_URL: 'http://v1.example',
  VAANI_SHADOW_CANDIDATE_URL: 'https://v2.example',
  VAANI_SHADOW_CANDIDATE_API_KEY: 'sk_live_1',
}

test('needs the two deployments and a key, and nothing else', () => {
  expect(gatewaySettings.read(REQUIRED)).toMatchObject({
    maxConnections: 512,
    idleTimeoutMs: 300_000,
    noiseShare: 0.02,
    samplingKey: undefined,
    initialStage: 'off',
    worker: { host: '127.0.0.1', port: 8091, metricsPort: undefined },
  })
  expect(() => gatewaySettings.read({})).toThrow(
    /VAANI_SHADOW_PRIMARY_URL.*VAANI_SHADOW_CANDIDATE_URL.*VAANI_SHADOW_CANDIDATE_API_KEY/s,
  )
})

test('a worker of its own can be left out', () => {
  expect(gatewaySettings.read({ ...REQUIRED, VAANI_SHADOW_WORKER: 'none' }).worker).toBeNull()
})

test.each([
  ['VAANI_SHADOW_SAMPLING_KEY', 'secret'],
  ['VAANI_SHADOW_NOISE_SHARE', '2'],
  ['VAANI_SHADOW_MAX_CONNECTIONS', '0'],
  ['VAANI_SHADOW_WORKER', 'thread'],
  ['VAANI_SHADOW_SPOOL_MAX_BYTES', '-1'],
])('%s cannot be %s, and the refusal does not repeat it', (name, value) => {
  const read = () => gatewaySettings.read({ ...REQUIRED, [name]: value })
  expect(read).toThrow(name)
  expect(read).not.toThrow(value.length > 1 ? value : 'never')
})

test('every wrong variable is refused in our words', () => {
  expect(findUnfitRefusals(gatewaySettings, REQUIRED)).toEqual([])
  expect(findUnfitRefusals(features.settings, REQUIRED)).toEqual([])
})
