import type { ClientOptions } from '../../src/index.ts'
import { createTestClock, type TestClock } from './test-clock.ts'

/** A request as the client passed it to `fetch`. */
export interface Sent {
  readonly method: string
  readonly url: URL
  readonly signal: AbortSignal
}

/** An in-process service, with the options for its client. */
export interface Service {
  readonly clock: TestClock
  readonly requests: readonly Sent[]
  readonly options: ClientOptions
}

/** @param answer returns the response to each request; `number` starts at 1 */
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

/** Behaves like a server that never responds: rejects only on abort. */
export const never = ({ signal }: Sent): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** Creates an error response in the service's format. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { code, message: '' } }, { status, headers })
