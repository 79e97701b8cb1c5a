import type { WebhookEvent } from '../events.ts'
import { readBody, receive, tooLarge } from './receive.ts'
import type { Answer, BodyStream, ReceiverOptions } from './receive.ts'

/** The part of Node's `IncomingMessage` that this adapter reads. */
export interface NodeRequest extends BodyStream {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The part of Node's `ServerResponse` that this adapter writes. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body: string): unknown
}

/**
 * Creates a request listener for Node's http server.
 *
 * @returns a listener whose promise rejects with the error of `onEvent`, after it has responded 500
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

const FIX =
  'In Node: let this listener be the first to read the request, and do not call setEncoding() on it.'

/** Reads the body from the request's stream and receives the delivery. */
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
  // Draining the rest of an oversized body costs more than a new connection.
  response.writeHead(status, { ...headers, ...(status === 413 && { connection: 'close' }) })
  response.end(body)
}
