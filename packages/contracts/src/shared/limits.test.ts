import { expect, test } from 'vitest'
import { ACCOUNT_LIMITS, type AccountLimitName, CONCURRENCY_LIMITS, LIMITS, RATE_LIMITS } from './limits.ts'
import { TIERS } from './rates.ts'

const MIB = 1024 * 1024
const perMinute = (limit: number) => ({ limit, periodSeconds: 60 })
const perDay = (limit: number) => ({ limit, periodSeconds: 86_400 })

test('the bounds are those of the specification', () => {
  expect(LIMITS).toMatchObject({
    scheduledCallsPerAccount: 5000,
    callDurationSeconds: 15 * 60,
    streamInputCharacters: 4096,
    synthesisTextCharacters: 5000,
    statusPollsPerVerification: 120,
    liveVideoSecondsMin: 3,
    liveVideoSecondsMax: 10,
    speedMin: 0.5,
    speedMax: 2,
    pitchShiftMin: -1,
    pitchShiftMax: 1,
  })
})

test('what an account can have is named by kind', () => {
  expect(ACCOUNT_LIMITS).toEqual({
    agents: 100,
    deployments: 1000,
    endpoints: 100,
    keys: 100,
    lexicons: 50,
    members: 100,
    scheduled_calls: 5000,
    stored_files: 1000,
    voices: 100,
  } satisfies Record<AccountLimitName, number>)
})

test('a video can be as large as 50 MiB of base64', () => {
  expect(Math.ceil(LIMITS.videoBytes / 3) * 4).toBe(50 * MIB)
})

test('the rates are those of the specification', () => {
  expect(RATE_LIMITS.place_call.per).toBe('key')
  for (const tier of TIERS)
    expect(RATE_LIMITS.place_call.rates[tier]).toEqual({ limit: 10, periodSeconds: 1 })
  expect(RATE_LIMITS.speech_stream.rates).toMatchObject({ starter: perMinute(50), pro: perMinute(500) })
  expect(RATE_LIMITS.synthesis_high_fidelity.rates).toMatchObject({
    starter: perMinute(50),
    pro: perMinute(500),
  })
  expect(RATE_LIMITS.synthesis_light.rates).toMatchObject({ starter: perMinute(100), pro: perMinute(1000) })
  expect(RATE_LIMITS.voice_cloning.rates).toMatchObject({ starter: null, pro: perDay(5) })
  for (const tier of TIERS) expect(RATE_LIMITS.status_polls.rates[tier].limit).toBe(120)
})

test('limits that the specification does not state are marked', () => {
  const specified = Object.entries(RATE_LIMITS).filter(([, policy]) => !policy.beyondSpecification)
  expect(specified.map(([name]) => name)).toEqual([
    'place_call',
    'speech_stream',
    'synthesis_high_fidelity',
    'synthesis_light',
    'voice_cloning',
    'status_polls',
  ])
  expect(RATE_LIMITS.kyc_submissions.rates).toMatchObject({ starter: perMinute(60), pro: perMinute(600) })
})

test('a higher tier never has a lower rate', () => {
  for (const { rates } of Object.values(RATE_LIMITS)) {
    const limits = TIERS.map((tier) => rates[tier]?.limit ?? 0)
    expect(limits).toEqual(limits.toSorted((a, b) => a - b))
  }
  for (const { limits } of Object.values(CONCURRENCY_LIMITS)) {
    const byTier = TIERS.map((tier) => limits[tier])
    expect(byTier).toEqual(byTier.toSorted((a, b) => a - b))
  }
})
