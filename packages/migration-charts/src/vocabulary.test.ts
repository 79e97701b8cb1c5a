import * as contract from '@vaani/contracts/migration'
import { expect, test } from 'vitest'
import { ENDINGS, isAnsweredByV2, OUTCOMES, SEVERITIES, STAGES } from './vocabulary.ts'

test('the lists are those of the contract', () => {
  expect({ STAGES, ENDINGS, SEVERITIES, OUTCOMES }).toEqual({
    STAGES: contract.STAGES,
    ENDINGS: contract.ENDINGS,
    SEVERITIES: contract.SEVERITIES,
    OUTCOMES: contract.PAIR_OUTCOMES,
  })
  expect(STAGES.filter(isAnsweredByV2)).toEqual(
    STAGES.filter((stage) => contract.STAGE_PLANS[stage].answers === 'v2'),
  )
})
