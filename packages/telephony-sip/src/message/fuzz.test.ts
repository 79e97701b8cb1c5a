import { expect, test } from 'vitest'
import { drawMessage } from '../../fuzz/corpus.ts'
import { judge } from '../../fuzz/judge.ts'
import { mutate } from '../../fuzz/mutate.ts'
import { TRACES } from '../../test/messages/traces.ts'
import { seededRandom } from '../../test/seeded-random.ts'

const MUTATIONS = 3000

/** CI varies it every week, as it does for properties. */
const SEED = Number(process.env['PROPERTY_SEED'] ?? 1)

test.each(Object.entries(TRACES))('reads a trace: %s', (_name, bytes) => {
  expect(judge(bytes, () => 0.5)).toBe('parsed')
})

test('a spoiled message parses or is refused, and breaks no promise', () => {
  const random = seededRandom(SEED)
  const verdicts = new Set<string>()
  for (let index = 0; index < MUTATIONS; index++) {
    verdicts.add(judge(mutate(drawMessage(random), drawMessage(random), random), random))
  }
  // Mutations that are all refused at the start line would prove little.
  expect(verdicts.size).toBeGreaterThan(10)
  expect(verdicts).toContain('parsed')
})
