import { adminRoutes } from './admin/routes.ts'
import { agentRoutes } from './agents/routes.ts'
import { batchRoutes } from './batches/routes.ts'
import { callEventSchema } from './calls/events.ts'
import { callRoutes } from './calls/routes.ts'
import { deploymentRoutes } from './deployments/routes.ts'
import { verificationEventSchema } from './identity/events.ts'
import { identityRoutes } from './identity/routes.ts'
import { modelRoutes } from './models/routes.ts'
import { defineContract } from './shared/ts-rest.ts'
import { speechRoutes } from './speech/routes.ts'
import { synthesisRoutes } from './synthesis/routes.ts'
import { synthesisSocket } from './synthesis/socket.ts'
import { systemRoutes } from './system/routes.ts'
import { voiceRoutes } from './voices/routes.ts'
import { endpointEventSchema } from './webhooks/endpoint-events.ts'
import { webhookRoutes } from './webhooks/routes.ts'

const routes = defineContract({
  calls: callRoutes,
  agents: agentRoutes,
  speech: speechRoutes,
  synthesis: synthesisRoutes,
  voices: voiceRoutes,
  identity: identityRoutes,
  models: modelRoutes,
  batches: batchRoutes,
  deployments: deploymentRoutes,
  webhooks: webhookRoutes,
  admin: adminRoutes,
  system: systemRoutes,
})
type Routes = typeof routes

type RouteAt<Operation extends string> = Operation extends `${infer Group}.${infer Name}`
  ? Group extends keyof Routes
    ? Name extends keyof Routes[Group]
      ? Routes[Group][Name]
      : never
    : never
  : never

// Mapped types: the compiler writes their names, and not what is in them.

/** The route of an operation, as in `ContractRoute<'calls.place'>`. */
export type ContractRoute<Operation extends string> = {
  [Member in keyof RouteAt<Operation>]: RouteAt<Operation>[Member]
}

/** The routes of a group. */
export type ContractGroup<Group extends keyof Routes> = {
  readonly [Name in keyof Routes[Group]]: ContractRoute<`${Group}.${Name & string}`>
}

export type Contract = { readonly [Group in keyof Routes]: ContractGroup<Group> }

/** Every endpoint of the service. A server mounts what it serves of it, and publishes just that. */
export const contract: Contract = routes

/** What each group of the contract is about. */
export const GROUPS = {
  calls: 'Voice-agent calls.',
  agents: 'Agents that calls are placed from.',
  speech: 'Streaming speech.',
  synthesis: 'Speech as files, streams and sockets.',
  voices: 'Cloned voices.',
  identity: 'Identity verification.',
  models: 'Hosted models.',
  batches: 'Asynchronous batches.',
  deployments: 'Models on premise.',
  webhooks: 'Webhook endpoints, deliveries and events.',
  admin: 'Accounts, keys, caller ids and agents.',
  system: 'What operators read.',
} as const satisfies Record<keyof Contract, string>

/** WebSockets: beside the routes, as a route has one answer. */
export const SOCKETS = { engineStream: synthesisSocket } as const

/** Events that the service sends, in the order of the document. */
export const WEBHOOKS = [
  { name: 'call', schema: callEventSchema, description: 'A call changed its status' },
  { name: 'verification', schema: verificationEventSchema, description: 'A verification was decided' },
  { name: 'endpoint', schema: endpointEventSchema, description: 'A webhook endpoint fails or was disabled' },
] as const
