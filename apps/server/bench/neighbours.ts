/**
 * `pnpm bench neighbours`: one account sends the most expensive requests that are known, all the time, and another the cheapest of the same
 * kind. How long do these take beside the others, and alone? Nobody should wait longer than one of the expensive requests takes by
 * itself. Each account has a thread of its own. Runs the built server: `pnpm build` first.
 */
import { ATTACKS } from '../fuzz/neighbours/attacks.ts'
import { createMeasure } from '../fuzz/neighbours/measure.ts'
import { startServer } from './speech/server.ts'
import { median, printTable } from './speech/statistics.ts'

await using server = await startServer()
const measure = await createMeasure(server)
const rows = []
for (const [index, { name, atOnce }] of ATTACKS.entries()) {
  const { unitMs, aloneMs, beside, answers } = await measure(index)
  const besideMs = beside.map(({ ms }) => ms)
  const answered = answers.map(([status, count]) => `${count} × ${status}`).join(', ') || 'none in 8 s'
  const cells = [unitMs, median(aloneMs), Math.max(...aloneMs), median(besideMs), Math.max(...besideMs)]
  rows.push([name, atOnce, answered, ...cells.map((ms) => ms.toFixed(0))])
}
console.log('Milliseconds of the cheapest request of another account\n')
printTable(
  ['expensive', 'at once', 'answered', 'one alone', 'cheapest alone', 'its worst', 'beside', 'its worst'],
  rows,
)
