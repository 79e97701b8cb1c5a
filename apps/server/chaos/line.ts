import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startSipTrunk } from '../test/support/sip-trunk.ts'
import type { Ledger } from './ledger.ts'

/** A phone line for the calls of live mode, whose far end outlives all servers. */
export interface ChaosLine extends AsyncDisposable {
  carriersFile: string
  /** Returns a number that nobody was given before. One of ten is busy. */
  nextNumber(): string
  /** Checks that no phone rang twice, and counts the far ends that heard no end. */
  check(ledger: Ledger): void
}

export async function openLine(): Promise<ChaosLine> {
  await using held = new AsyncDisposableStack()
  const trunk = held.use(
    await startSipTrunk((number) => (number.endsWith('5') ? ['486 Busy Here'] : ['180 Ringing', '200 OK'])),
  )
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-chaos-'))
  held.defer(() => rm(folder, { recursive: true, force: true }))
  const carriersFile = path.join(folder, 'carriers.json')
  const carriers = {
    simulator: { type: 'simulator' },
    line: { type: 'sip', host: '127.0.0.1', port: trunk.port },
  }
  await writeFile(
    carriersFile,
    JSON.stringify({
      carriers,
      hours: 'any',
      test: ['simulator'],
      live: [{ carrier: 'line', prefixes: ['+977'] }, 'simulator'],
    }),
  )
  const resources = held.move()
  let numbers = 0
  return {
    carriersFile,
    nextNumber: () => `+97798${String((numbers += 1)).padStart(8, '0')}`,
    check(ledger) {
      const called = trunk.called()
      for (const [number, times] of Map.groupBy(called, (one) => one))
        if (times.length > 1) ledger.violate('a phone rang twice', number)
      const answered = called.filter((number) => !number.endsWith('5')).length
      ledger.count('calls over the line', called.length)
      ledger.count('of them answered', answered)
      ledger.count('of these hung up', new Set(trunk.hungUp()).size)
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
