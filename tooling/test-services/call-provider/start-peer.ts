import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { PeerProvider } from './accounts.ts'
import { DIALECTS } from './dialects.ts'
import { type Deliver, inTurn, PeerCall } from './peer-call.ts'
import { PeerCaller } from './peer-caller.ts'

/** What goes wrong with a request to place a call. `after`: the call exists all the same. */
export type CreationFault = 'none' | '500_after' | 'breaks_off_after' | '500' | '429' | '429_for_long' | '401'

export interface PeerOptions {
  /** Default `twilio`. */
  readonly provider?: PeerProvider
  /** Faults of the first requests to place a call; later ones have none. */
  readonly creations?: CreationFault[]
  /** Responses to the first requests to hang up; later ones hang up. */
  readonly hangUps?: ('500' | 'breaks_off')[]
  /** Default: each at once, one after another. */
  readonly deliver?: Deliver
}

/** Who calls, and what number. */
export interface CallIn {
  readonly from: string
  readonly to: string
  readonly echoes?: boolean
}

/** A server on 127.0.0.1 that follows the public documents of a provider's REST API, callbacks and media streams. */
export interface CallProviderPeer {
  /** Of the REST API. */
  readonly url: string
  /** The calls that were created, in order. */
  readonly calls: readonly PeerCall[]
  /** Calls a number whose webhook is at the URL. Resolves once the call is connected or refused. */
  callIn(webhookUrl: string, parties: CallIn): Promise<PeerCaller>
  /** Requests that asked for a call, also in vain. */
  creationsAsked(): number
  close(): Promise<void>
}

/** Starts it. */
export async function startCallProviderPeer(options: PeerOptions = {}): Promise<CallProviderPeer> {
  const { provider = 'twilio', creations = [], hangUps = [], deliver = inTurn() } = options
  const dialect = DIALECTS[provider]
  const calls: PeerCall[] = []
  const callers: PeerCaller[] = []
  let asked = 0

  const create = (parameters: URLSearchParams, response: ServerResponse) => {
    asked += 1
    const fault = creations.shift() ?? 'none'
    switch (fault) {
      case '500':
        return respond(response, 500)
      case '401':
        return respond(response, 401, { code: 20003 })
      case '429':
      case '429_for_long':
        response.setHeader('retry-after', fault === '429' ? '0' : '60')
        return respond(response, 429, { code: 20429 })
      case 'none':
      case '500_after':
      case 'breaks_off_after': {
        if (!/^\+[1-9]\d{6,14}$/.test(parameters.get('To') ?? ''))
          return respond(response, 400, { code: 21211 })
        const call = new PeerCall(parameters, dialect, deliver)
        calls.push(call)
        if (fault === '500_after') return respond(response, 500)
        if (fault === 'breaks_off_after') return void response.destroy()
        return respond(response, 201, dialect.created({ sid: call.sid, to: parameters.get('To') ?? '' }))
      }
    }
  }
  const update = (call: PeerCall | PeerCaller, isHangUp: boolean, response: ServerResponse) => {
    const fault = hangUps.shift()
    if (fault === '500') return respond(response, 500)
    if (fault === 'breaks_off') return void response.destroy()
    if (isHangUp) call.hangUp()
    respond(response, 200, dialect.state(call))
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await textOf(request)
    const { method = '', url = '' } = request
    if (!dialect.isAuthorized(request.headers.authorization ?? ''))
      return respond(response, 401, { code: 20003 })
    const path = dialect.path.exec(url)
    if (!path) return respond(response, 404, { code: 20404 })
    if (path[2] === undefined && method === 'GET') return respond(response, 200, { calls: [] })
    if (path[2] === undefined) return create(dialect.readCreation(body), response)
    const call = [...calls, ...callers].find(({ sid }) => sid === path[2])
    if (!call) return respond(response, 404, { code: 20404 })
    if (method === 'GET') return respond(response, 200, dialect.state(call))
    return update(call, dialect.isHangUp(method, body), response)
  }

  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The peer has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    creationsAsked: () => asked,
    async callIn(webhookUrl, { echoes = false, ...parties }) {
      const caller = new PeerCaller(dialect, echoes)
      callers.push(caller)
      await caller.call(webhookUrl, parties)
      return caller
    },
    async close() {
      for (const call of [...calls, ...callers]) call.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

function respond(response: ServerResponse, status: number, body: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
