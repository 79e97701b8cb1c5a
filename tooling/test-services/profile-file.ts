/**
 * Measures what a test file costs, for `pnpm test:profile`: the processor time of its process and of all descendants, and
 * the servers that listened in it and the processes that it started.
 */
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'

import { afterAll, expect } from 'vitest'

import { watchProcesses } from './process-tree.ts'

/** One line of the profile. */
export interface FileCost {
  readonly file: string
  readonly processorSeconds: number
  readonly servers: number
  readonly processes: number
}

interface Watch {
  readonly readSeconds: () => number
  /** Used by earlier files of this process. */
  counted: number
}

const WATCH = Symbol.for('vaani.test-profile')

const profile = process.env['VAANI_TEST_PROFILE']
if (profile !== undefined) {
  // Files share processes, but not modules.
  const watch = ((globalThis as { [WATCH]?: Watch })[WATCH] ??= { readSeconds: watchProcesses(), counted: 0 })
  let servers = 0
  let processes = 0
  subscribe('tracing:net.server.listen:asyncEnd', () => servers++)
  subscribe('child_process', () => processes++)
  // Registered first, so it runs last: hooks after tests run in the reverse order.
  afterAll(() => {
    const file = expect.getState().testPath ?? ''
    const total = watch.readSeconds()
    const cost: FileCost = { file, processorSeconds: total - watch.counted, servers, processes }
    watch.counted = total
    appendFileSync(profile, `${JSON.stringify(cost)}\n`)
  })
}
