import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { judgeCondition } from './judge-condition.ts'

const ALPHAS = { met: 0.05, broken: 0.01 }
const format = (count: number | null): string => (count ?? NaN).toLocaleString('en')

function countWithOneEvent(allowed: number): number {
  let [least, most] = [1, 100_000]
  while (least < most) {
    const trials = (least + most) >> 1
    const isMet =
      judgeCondition({ tally: { events: 1, trials }, allowed, noise: null }, ALPHAS).state === 'met'
    if (isMet) most = trials
    else least = trials + 1
  }
  return least
}

test.each([0.05, 0.02, 0.01, 0.005, 0.001])('the guide names the pairs that %d needs', async (allowed) => {
  const guide = await readFile(new URL('../../../../../docs/migrate/README.md', import.meta.url), 'utf8')
  const { missingTrials } = judgeCondition({ tally: { events: 0, trials: 0 }, allowed, noise: null }, ALPHAS)
  const row = [`${allowed * 100} %`, missingTrials, countWithOneEvent(allowed)]
  const cells = row.map((cell) => (typeof cell === 'string' ? cell : format(cell)))
  expect(guide.replaceAll(/ +\|/g, ' |')).toContain(`| ${cells.join(' | ')} |`)
})
