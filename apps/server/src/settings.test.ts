import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import { findUnfitRefusals } from '@vaani/test-harness'
import { expect, test } from 'vitest'
import { features } from './features.ts'

const readConfig = features.settings.read

test('needs no variable', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    metricsHost: '127.0.0.1',
    metricsPort: undefined,
    databaseUrl: undefined,
    s3: undefined,
  })
  expect([...readConfig({}).roles]).toEqual(['api', 'worker'])
})

test('treats an empty variable as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: undefined })
})

test.each([
  ['PORT', 'http'],
  ['PORT', '70000'],
  ['VAANI_METRICS_PORT', '-1'],
  ['DATABASE_URL', 'mysql://root:hunter2@db/vaani'],
  ['REDIS_URL', 'localhost:6379'],
  ['VAANI_ROLES', 'api,cron'],
  ['VAANI_BOOTSTRAP_API_KEY', 'sk_test_short'],
  ['VAANI_BOOTSTRAP_API_KEY', 'pk_test_0123456789abcdefghij'],
  ['VAANI_CALLBACK_ALLOW_CIDRS', '10.0.0.0'],
  ['VAANI_CORS_ORIGINS', 'app.example.com'],
  ['VAANI_CORS_ORIGINS', 'https://app.example.com/'],
  ['VAANI_CORS_ORIGINS', 'https://app.example.com:443'],
  ['VAANI_WEBHOOK_SCHEDULE_SECONDS', '0,soon'],
  ['VAANI_RECORDING_RETENTION_DAYS', '-1'],
  ['LOG_LEVEL', 'loud'],
])('reports an invalid %s without its value', (name, value) => {
  const read = () => readConfig({ [name]: value })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(name)
  expect(read).not.toThrow(value)
})

test('requires the credentials of a bucket', () => {
  expect(() => readConfig({ S3_BUCKET: 'media' })).toThrow('S3_ACCESS_KEY_ID')
  expect(() => readConfig({ S3_ENDPOINT: 'http://127.0.0.1:9000' })).toThrow('S3_BUCKET')
})

test('reads lists', () => {
  const config = readConfig({
    VAANI_ROLES: 'worker',
    VAANI_CALLBACK_ALLOW_CIDRS: '127.0.0.0/8, ::1/128',
    VAANI_CORS_ORIGINS: 'https://app.example.com,http://localhost:3000',
    VAANI_WEBHOOK_SCHEDULE_SECONDS: '0,1,2.5',
  })
  expect([...config.roles]).toEqual(['worker'])
  expect(config.corsOrigins).toEqual(['https://app.example.com', 'http://localhost:3000'])
  expect(config.callbackAllowCidrs).toEqual(['127.0.0.0/8', '::1/128'])
  expect(config.webhookScheduleSeconds).toEqual([0, 1, 2.5])
})

test('refuses every wrong variable in our words', () => {
  expect(findUnfitRefusals(features.settings)).toEqual([])
})
