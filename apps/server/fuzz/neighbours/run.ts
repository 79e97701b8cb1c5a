/**
 * One account sends the most expensive requests that are known, all the time, and another the cheapest of the same kind, which may
 * wait for one unit of that work longer than otherwise. Prints each attack, and exits with 1 if a neighbour waits longer each time.
 */
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { startServer } from '../../bench/speech/server.ts'
import { ATTACKS } from './attacks.ts'
import { findOverdue } from './judge.ts'
import { createMeasure, type Measure } from './measure.ts'

/** What happens each time is not the machine's other work. */
const TRIES = 3
const PROCESSORS = availableParallelism()
const MAIN = path.resolve(import.meta.dirname, '../../src/main.ts')

const inMs = (ms: number) => `${ms.toFixed(0)} ms`

/** @returns whether the neighbour waited too long at each try */
async function violates(measure: Measure, index: number): Promise<boolean> {
  for (let tried = 1; ; tried++) {
    const waits = await measure(index)
    const longest = waits.beside.reduce((one, other) => (other.ms > one.ms ? other : one))
    console.log(
      `neighbour of ${ATTACKS[index]?.name}: waits up to ${inMs(longest.ms)}, in which ${longest.overtakenBy} requests were served; up to ${inMs(Math.max(...waits.aloneMs))} alone; a unit is ${inMs(waits.unitMs)}`,
    )
    const overdue = findOverdue(waits, PROCESSORS)
    if (overdue === undefined) return false
    console.log(
      `  too long, ${tried} of ${TRIES}: ${inMs(overdue.extraMs)} more than alone, of ${inMs(overdue.limitMs)}, behind ${overdue.overtakenBy} requests`,
    )
    if (tried === TRIES) return true
  }
}

await using server = await startServer({}, ['--conditions=vaani-source', MAIN])
const measure = await createMeasure(server)
const violated: string[] = []
for (const [index, { name }] of ATTACKS.entries()) if (await violates(measure, index)) violated.push(name)
for (const name of violated) console.log(`VIOLATION: a neighbour waits too long beside ${name}`)
process.exitCode = violated.length === 0 ? 0 : 1
