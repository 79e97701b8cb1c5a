/** An OpenFeature provider whose flags a test sets. */
export const flags = (globalThis.testFlags ??= { stage: undefined, isKilled: undefined, isBroken: false })

const answer = (value, fallback) => {
  if (flags.isBroken) throw new Error('The provider is away')
  return value === undefined
    ? { value: fallback, errorCode: 'FLAG_NOT_FOUND', reason: 'ERROR' }
    : { value, reason: 'STATIC' }
}

export default {
  metadata: { name: 'test-flags' },
  runsOn: 'server',
  resolveStringEvaluation: async (key, fallback) =>
    answer(key === 'kyc-migration-stage' ? flags.stage : undefined, fallback),
  resolveBooleanEvaluation: async (key, fallback) =>
    answer(key === 'kyc-migration-kill-switch' ? flags.isKilled : undefined, fallback),
  resolveNumberEvaluation: async (_, fallback) => answer(undefined, fallback),
  resolveObjectEvaluation: async (_, fallback) => answer(undefined, fallback),
}
