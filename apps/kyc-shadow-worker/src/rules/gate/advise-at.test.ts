import { ADVICE, type MigrationVerdict } from '@vaani/contracts/migration'
import { expect, test } from 'vitest'
import { adviseAt } from './advise-at.ts'

const verdict = (advice: MigrationVerdict['advice']): MigrationVerdict => ({
  advice,
  because: 'The rates say so.',
  missing_pairs: 0,
  pairs_per_day: null,
  conditions: [],
  error_difference: null,
})

test.each(ADVICE.filter((advice) => advice !== 'roll_back'))(
  'a complete migration is done, not %s',
  (advice) => {
    expect(adviseAt('complete', verdict(advice)).advice).toBe('done')
    expect(adviseAt('live', verdict(advice))).toEqual(verdict(advice))
  },
)

test('a complete migration can still be advised to roll back', () => {
  expect(adviseAt('complete', verdict('roll_back')).advice).toBe('roll_back')
})
