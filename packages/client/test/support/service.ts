import type { ClientOptions } from '../../src/index.ts'
import { createTestClock, type TestClock } from './test-clock.ts'

/** A request as the client gave it to `fetch`. */
export interface Sent {
  readonly method: string
  readonly url: URL
  readonly signal: AbortSignal
}

/** A service in this process, and the options of a client of it. */
export interface Service {
  readonly clock: TestClock
  readonly requests: readonly Sent[]
  readonly options: ClientOptions
}

/** @param answer gives what is answered to each request; its number counts from 1 */
export function createService(
  answer: (sent: Sent, number: number) => Response | Promise<Response>,
  { passesWaits = true, ...options }: Partial<ClientOptions> & { passesWaits?: boolean } = {},
): Service {
  const clock = createTestClock({ passesWaits })
  const requests: Sent[] = []
  return {
    clock,
    requests,
    options: {
      apiKey: 'sk_test_key',
      baseUrl: 'https://vaani.example.com',
      clock,
      random: () => 0.5,
      async fetch(url, { method = 'GET', signal }) {
        const sent = { method, url: new URL(url), signal: signal ?? new AbortController().signal }
        requests.push(sent)
        return answer(sent, requests.length)
      },
      ...options,
    },
  }
}

/** Fails only when it is aborted, as a server that never answers. */
export const never = ({ signal }: Sent): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** An error as the service writes it. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { code, message: '' } }, { status, headers })
