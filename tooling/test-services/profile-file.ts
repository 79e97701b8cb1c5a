/**
 * Measures what a test file costs, for `pnpm test:profile`: the processor time of its process and of the children that have ended, and
 * the servers that listened in it and the processes that it started.
 */
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync, readFileSync } from 'node:fs'

import { afterAll, expect } from 'vitest'

/** One line of the profile. */
export interface FileCost {
  readonly file: string
  readonly processorSeconds: number
  readonly servers: number
  readonly processes: number
}

/** Clock ticks per second, in which Linux counts; USER_HZ is 100 on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100
const COUNTED = Symbol.for('vaani.test-profile')

/** What earlier files of this process have used: files of the project `unit` share processes, but not modules. */
const counted = ((globalThis as { [COUNTED]?: { seconds: number } })[COUNTED] ??= { seconds: 0 })

const profile = process.env['VAANI_TEST_PROFILE']
if (profile !== undefined) {
  let servers = 0
  let processes = 0
  subscribe('tracing:net.server.listen:asyncEnd', () => servers++)
  subscribe('child_process', () => processes++)
  // Registered first, so it runs last: hooks after tests run in the reverse order.
  afterAll(() => {
    const file = expect.getState().testPath ?? ''
    const total = processorSeconds()
    const cost: FileCost = { file, processorSeconds: total - counted.seconds, servers, processes }
    counted.seconds = total
    appendFileSync(profile, `${JSON.stringify(cost)}\n`)
  })
}

/** Of this process and of its children that have ended, from proc(5). Elsewhere than on Linux, children are not counted. */
function processorSeconds(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // The name of the program, in parentheses, may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number)
  return ((user ?? 0) + (system ?? 0) + (childrenUser ?? 0) + (childrenSystem ?? 0)) / TICKS_PER_SECOND
}
