import { once } from 'node:events'
import { get, type IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { until } from '@vaani/test-services/until'

/** What a page got. */
export interface PageEvent {
  /** Position of the stream; empty before the first. */
  id: string
  event: string
  data: Record<string, string>
}

/** The stream of events of a page, read as a browser reads it. */
export interface PageEvents extends Disposable {
  status: number
  headers: IncomingHttpHeaders
  events: readonly PageEvent[]
  /** Everything that was sent. */
  text(): string
  /** The last position, which a browser sends to go on. */
  lastId(): string
  hasEnded(): boolean
  /** Waits for an event of a type, about an object if one is given. */
  until(type: string, objectId?: string): Promise<PageEvent>
}

export interface PageOptions {
  cookie: string
  keyId: string
  lastId?: string
  headers?: Record<string, string>
}

/** Follows events as a page of the console at this address does. */
export async function followEvents(url: string, options: PageOptions): Promise<PageEvents> {
  const { cookie, keyId, lastId = '', headers = {} } = options
  // Not by `fetch`, of which tests keep each exchange until its end.
  const request = get(`${url}/console/events?key_id=${keyId}`, {
    agent: false,
    headers: {
      cookie,
      accept: 'text/event-stream',
      'sec-fetch-site': 'same-origin',
      ...(lastId !== '' && { 'last-event-id': lastId }),
      ...headers,
    },
  })
  const [response]: unknown[] = await once(request, 'response')
  if (!(response instanceof IncomingMessage)) throw new Error('There is no response')
  const events: PageEvent[] = []
  let text = ''
  let id = ''
  let hasEnded = false

  function take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    )
    id = fields.get('id') ?? id
    const data = fields.get('data')
    if (data !== undefined)
      events.push({ id, event: fields.get('event') ?? 'message', data: JSON.parse(data) })
  }
  let rest = ''
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    const blocks = `${rest}${chunk}`.split('\n\n')
    rest = blocks.pop() ?? ''
    blocks.forEach(take)
  })
  response.on('error', () => undefined)
  response.once('close', () => (hasEnded = true))

  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    text: () => text,
    lastId: () => id,
    hasEnded: () => hasEnded,
    async until(type, objectId) {
      const isIt = ({ event, data }: PageEvent) =>
        (event === 'message' ? data['type'] : event) === type &&
        (objectId === undefined || data['object_id'] === objectId)
      const found = await until(
        () => events.find(isIt),
        (event) => event !== undefined,
      )
      if (found === undefined) throw new Error('It never came')
      return found
    },
    [Symbol.dispose]: () => void request.destroy(),
  }
}
