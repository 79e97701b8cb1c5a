import { type ClientOptions, Vaani } from '../../src/index.ts'
import { type FaultServer, startFaultServer, type Step } from '../support/fault-server.ts'
import { createTestClock, type TestClock } from '../support/test-clock.ts'

export interface Scene {
  readonly vaani: Vaani
  readonly server: FaultServer
  readonly clock: TestClock
}

/** One row of the table: what the server does, and what the client must make of it. */
export interface Fault {
  readonly name: string
  readonly steps: readonly Step[]
  readonly options?: Partial<ClientOptions>
  /** Whether waits between tries end by themselves; default true. */
  readonly passesWaits?: boolean
  readonly check: (scene: Scene) => Promise<void>
}

export const API_KEY = 'sk_test_key_that_is_never_shown'

/** Plays one row against a server of its own. */
export async function playFault({ steps, options, passesWaits = true, check }: Fault): Promise<void> {
  await using server = await startFaultServer(steps)
  const clock = createTestClock({ passesWaits })
  const vaani = new Vaani({ apiKey: API_KEY, baseUrl: server.url, clock, random: () => 0.5, ...options })
  await check({ vaani, server, clock })
}

/** What a promise is rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('It was expected to fail')
}

export const PLACE = { to: '+9779812345678', agent_id: 'reminder' } as const
