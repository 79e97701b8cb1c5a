import type { WebhookEvent } from '../events.ts'
import { readBody, receive, tooLarge } from './receive.ts'
import type { Answer, BodyStream, ReceiverOptions } from './receive.ts'

/** The part of Node's `IncomingMessage` that is read. */
export interface NodeRequest extends BodyStream {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The part of Node's `ServerResponse` that is written. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body: string): unknown
}

/**
 * A listener of Node's http server.
 *
 * @returns a function whose promise rejects with what `onEvent` throws, after 500 was answered
 * @example
 * ```ts
 * const receive = nodeReceiver({ verifier, onEvent: (event) => console.log(event.type) })
 * createServer((request, response) => void receive(request, response).catch(report)).listen(4000)
 * ```
 */
export function nodeReceiver<Event = WebhookEvent>(
  options: ReceiverOptions<Event>,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    try {
      write(response, await readAndReceive(options, request))
    } catch (error) {
      write(response, { status: 500, headers: {}, body: '' })
      throw error
    }
  }
}

const FIX = 'In Node: let this listener be the first to read the request, with no setEncoding() on it.'

/** Reads the request's own stream. */
export async function readAndReceive<Event>(
  options: ReceiverOptions<Event>,
  request: NodeRequest,
  fix = FIX,
): Promise<Answer> {
  const { headers } = request
  const body = await readBody(request, options.maxBodyBytes)
  return body === null ? tooLarge() : receive(options, { body, headers, fix })
}

export function write(response: NodeResponse, { status, headers, body }: Answer): void {
  // What was not read of a body that is too large cannot be skipped cheaply.
  response.writeHead(status, { ...headers, ...(status === 413 && { connection: 'close' }) })
  response.end(body)
}
