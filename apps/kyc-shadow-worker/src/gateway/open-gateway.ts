import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { KycVersion } from '@vaani/contracts/migration'
import { findMalformation } from '@vaani/service-kit/http/body/find-malformation'
import { type SocketPaths, upgradeOf } from '@vaani/service-kit/http/connection/upgrades'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { LRUCache } from 'lru-cache'
import { refuse, refuseIfMalformed } from './answer-failure.ts'
import { connectDeployment, type Deployment } from './deployment.ts'
import {
  beginExchange,
  type Exchange,
  type ExchangeOutcome,
  pathOf,
  type TransportSettings,
  type Watcher,
} from './exchange.ts'
import { chooseRoute, type Route } from './routes/choose-route.ts'
import { findVerification } from './routes/find-verification.ts'
import { serveV1ByV2 } from './routes/serve-v1-by-v2.ts'
import { createTunnels } from './tunnels.ts'
import { joinWatchers, watchIds } from './watch-ids.ts'

/** Ids whose deployment is remembered. Others are asked for at both. */
const REMEMBERED_IDS = 50_000
const NO_PATH = new ApiError('invalid_request', 'The request target must be a path')

export interface GatewaySettings extends Omit<TransportSettings, 'target'> {
  /** Deployment that answers everything but what version 2 answers. */
  readonly primary: URL
  /** Deployment that answers version 2. */
  readonly candidate: URL
  /** The version that answers callers of version 1 at the moment. */
  answers(): KycVersion
  /** Follows a submission of version 1; null if nobody wants to. */
  watch(request: IncomingMessage): Watcher | null
  onEnd?(outcome: ExchangeOutcome): void
}

export interface Gateway {
  readonly handler: RequestListener
  /** Paths whose upgrades to a WebSocket the handler passes on; others are served as if nobody had offered one. */
  readonly socketPaths: SocketPaths
  close(): Promise<void>
}

/** Passes every request on to the deployment that answers it, and its answer back. */
export function openGateway(settings: GatewaySettings): Gateway {
  const { watch, answers, maxConnections, idleTimeoutMs, onEnd = () => undefined } = settings
  const connect = (target: URL): Deployment => connectDeployment({ target, maxConnections, idleTimeoutMs })
  const primary = connect(settings.primary)
  const isOne = settings.primary.origin === settings.candidate.origin
  const candidate = isOne ? primary : connect(settings.candidate)
  const tunnel = createTunnels({ target: settings.primary, maxConnections, idleTimeoutMs })
  const homes = new LRUCache<string, Deployment>({ max: REMEMBERED_IDS })

  const answering = (version = answers()): Deployment => (version === 'v2' ? candidate : primary)
  const otherThan = (deployment: Deployment): Deployment => (deployment === primary ? candidate : primary)

  function follow(route: Route, request: IncomingMessage, deployment: Deployment): Watcher | null {
    if (route.name !== 'submit_v1' && route.name !== 'submit_v2') return null
    return joinWatchers(
      route.name === 'submit_v1' ? watch(request) : null,
      isOne ? null : watchIds((id) => homes.set(id, deployment)),
    )
  }

  const CARRIERS: Readonly<
    Record<Route['name'], (exchange: Exchange, version: KycVersion, id: string) => void>
  > = {
    submit_v1: (exchange, version) =>
      version === 'v2' ? serveV1ByV2(exchange, candidate) : primary.carry(exchange),
    submit_v2: (exchange, version) => answering(version).carry(exchange),
    verification(exchange, version, id) {
      const home = homes.get(id)
      if (isOne || home !== undefined) return (home ?? primary).carry(exchange)
      const first = answering(version)
      void findVerification(exchange, [first, otherThan(first)], (found) => void homes.set(id, found))
    },
    other: (exchange) => primary.carry(exchange),
  }

  function serve(request: IncomingMessage, response: ServerResponse, path: string): void {
    const route = chooseRoute(request.method ?? 'GET', path)
    // Read once, because a change in the midst must not tear an exchange apart.
    const version = answers()
    const watcher = follow(route, request, answering(version))
    const exchange = beginExchange({ request, response, path, watcher }, onEnd)
    refuseIfMalformed(exchange)
    CARRIERS[route.name](exchange, version, 'verificationId' in route ? route.verificationId : '')
  }

  return {
    socketPaths: { has: (path) => chooseRoute('GET', path).name === 'other' },
    handler(request, response) {
      const path = pathOf(request) ?? ''
      const fault = findMalformation(request) ?? (path === '' ? NO_PATH : null)
      const upgrade = upgradeOf({ raw: request })
      if (fault === null && upgrade === undefined) return serve(request, response, path)
      const exchange = beginExchange({ request, response, path, watcher: null }, onEnd)
      if (fault !== null) refuse(exchange, fault)
      else if (upgrade !== undefined) tunnel(exchange, upgrade)
    },
    async close() {
      await Promise.all([primary.close(), isOne ? null : candidate.close()])
    },
  }
}
