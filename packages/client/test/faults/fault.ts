import { type ClientOptions, Vaani } from '../../src/index.ts'
import { createTestClock, type TestClock } from '../support/test-clock.ts'
import type { SocketStep } from './socket-steps.ts'
import type { Step } from './steps.ts'

/** A request as it came. */
export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Of a socket, the messages of the client so far, a line each. */
  readonly body: string
}

/** The server of a row, in this process or asked over HTTP. */
export interface FaultServer {
  readonly url: string
  seen(): Promise<readonly SeenRequest[]>
  /** Resolves once the headers of that many requests have come. */
  begun(number: number): Promise<void>
  /** Resolves once that many requests have come, with their bodies. */
  received(number: number): Promise<void>
  /** Resolves when the connection of the request of this number, from 1, is gone. */
  closed(number: number): Promise<void>
  /** Ends the connection of that request in the middle of its answer. */
  hangUp(number: number): Promise<void>
  stop(): Promise<void>
}

/** Where a row is played. */
export interface Stage {
  readonly server: FaultServer
  /** A value as a log of this runtime would hold it. */
  readonly inspect: (value: unknown) => string
  /** A file of `MEDIA`, for runtimes that have files. */
  readonly mediaPath: string
}

export interface Scene extends Stage {
  readonly vaani: Vaani
  readonly clock: TestClock
}

/** One row of the table: what the server does, and what the client must make of it. */
export interface Fault {
  readonly name: string
  readonly steps?: readonly Step[]
  /** What it does with those that ask for a WebSocket. */
  readonly sockets?: readonly SocketStep[]
  readonly options?: Partial<ClientOptions>
  /** Whether waits between tries end by themselves; default true. */
  readonly passesWaits?: boolean
  readonly check: (scene: Scene) => Promise<void>
}

export const API_KEY = 'sk_test_key_that_is_never_shown'

/** Bytes of every value, in no multiple of three, and in more than one piece of a file. */
export const MEDIA = Uint8Array.from({ length: 200_000 }, (_, index) => (index * 7) % 256)

/** Plays one row against its server, and stops that. */
export async function playFault(fault: Fault, stage: Stage): Promise<void> {
  const { options, passesWaits = true, check } = fault
  const { server } = stage
  const clock = createTestClock({ passesWaits })
  const vaani = new Vaani({ apiKey: API_KEY, baseUrl: server.url, clock, random: () => 0.5, ...options })
  try {
    await check({ ...stage, vaani, clock })
  } finally {
    await server.stop()
  }
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
