import { type ClientOptions, Vaani } from '../../src/index.ts'
import { createTestClock, type TestClock } from '../support/test-clock.ts'
import type { SocketStep } from './socket-steps.ts'
import type { Step } from './steps.ts'

/** A request as received. */
export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** For a socket, the client's messages so far, one per line. */
  readonly body: string
}

/** The server of a row, in this process or controlled over HTTP. */
export interface FaultServer {
  readonly url: string
  seen(): Promise<readonly SeenRequest[]>
  /** Resolves once the headers of that many requests have arrived. */
  begun(number: number): Promise<void>
  /** Resolves once that many requests have arrived, including their bodies. */
  received(number: number): Promise<void>
  /** Resolves when the connection of this request, counted from 1, is closed. */
  closed(number: number): Promise<void>
  /** Ends the connection of this request in the middle of its response. */
  hangUp(number: number): Promise<void>
  stop(): Promise<void>
}

/** Environment in which a row is played. */
export interface Stage {
  readonly server: FaultServer
  /** Formats a value like a log of this runtime. */
  readonly inspect: (value: unknown) => string
  /** Path of a file that contains `MEDIA`, for runtimes with a file system. */
  readonly mediaPath: string
}

export interface Scene extends Stage {
  readonly vaani: Vaani
  readonly clock: TestClock
}

/** One row of the table: the server's behaviour and a check of the client's reaction. */
export interface Fault {
  readonly name: string
  readonly steps?: readonly Step[]
  /** Responses to WebSocket upgrades. */
  readonly sockets?: readonly SocketStep[]
  readonly options?: Partial<ClientOptions>
  /** Whether waits between attempts end by themselves; default true. */
  readonly passesWaits?: boolean
  readonly check: (scene: Scene) => Promise<void>
}

export const API_KEY = 'sk_test_key_that_is_never_shown'

/** Contains every byte value; its length is not a multiple of three and exceeds one piece of a file. */
export const MEDIA = Uint8Array.from({ length: 200_000 }, (_, index) => (index * 7) % 256)

/** Plays one row against its server, then stops the server. */
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

/** Returns the error that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('Expected a rejection')
}

export const PLACE = { to: '+9779812345678', agent_id: 'reminder' } as const
