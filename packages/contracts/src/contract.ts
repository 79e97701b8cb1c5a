import { adminRoutes } from './admin/routes.ts'
import { agentRoutes } from './agents/routes.ts'
import { batchEventSchema } from './batches/events.ts'
import { batchRoutes } from './batches/routes.ts'
import { callerIdRoutes } from './caller-ids/routes.ts'
import { callEventSchema } from './calls/events.ts'
import { callRoutes } from './calls/routes.ts'
import { deploymentRoutes } from './deployments/routes.ts'
import { listedNumberRoutes } from './do-not-call/routes.ts'
import { verificationEventSchema } from './identity/events.ts'
import { identityRoutes } from './identity/routes.ts'
import { lexiconRoutes } from './lexicons/routes.ts'
import { limitRoutes } from './limits/routes.ts'
import { memberRoutes } from './members/routes.ts'
import { documentEventSchema } from './models/document-events.ts'
import { modelRoutes } from './models/routes.ts'
import { requestRoutes } from './requests/routes.ts'
import { reviewRoutes } from './reviews/routes.ts'
import { defineContract } from './shared/ts-rest.ts'
import { speechRoutes } from './speech/routes.ts'
import { synthesisRoutes } from './synthesis/routes.ts'
import { synthesisSocket } from './synthesis/socket.ts'
import { systemRoutes } from './system/routes.ts'
import { voiceRoutes } from './voices/routes.ts'
import { watermarkRoutes } from './watermark/routes.ts'
import { endpointEventSchema } from './webhooks/endpoint-events.ts'
import { webhookRoutes } from './webhooks/routes.ts'

const routes = defineContract({
  calls: callRoutes,
  agents: agentRoutes,
  speech: speechRoutes,
  synthesis: synthesisRoutes,
  watermark: watermarkRoutes,
  lexicons: lexiconRoutes,
  voices: voiceRoutes,
  identity: identityRoutes,
  reviews: reviewRoutes,
  models: modelRoutes,
  batches: batchRoutes,
  deployments: deploymentRoutes,
  members: memberRoutes,
  requests: requestRoutes,
  limits: limitRoutes,
  doNotCall: listedNumberRoutes,
  callerIds: callerIdRoutes,
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

// Mapped types, because the compiler emits their names in declarations instead of their contents.

/** The route of an operation, as in `ContractRoute<'calls.place'>`. */
export type ContractRoute<Operation extends string> = {
  [Member in keyof RouteAt<Operation>]: RouteAt<Operation>[Member]
}

/** The routes of a group. */
export type ContractGroup<Group extends keyof Routes> = {
  readonly [Name in keyof Routes[Group]]: ContractRoute<`${Group}.${Name & string}`>
}

export type Contract = { readonly [Group in keyof Routes]: ContractGroup<Group> }

/** Every endpoint of the service. A server mounts the part that it serves, and documents only that part. */
export const contract: Contract = routes

/** WebSockets, kept apart from the routes because a route has a single response. */
export const SOCKETS = { engineStream: synthesisSocket } as const

/** Events that the service sends, in the order of the document. */
export const WEBHOOKS = [
  { name: 'call', schema: callEventSchema, description: 'Call status changed' },
  { name: 'verification', schema: verificationEventSchema, description: 'Verification decided' },
  { name: 'batch', schema: batchEventSchema, description: 'Batch ended' },
  { name: 'document', schema: documentEventSchema, description: 'Document read' },
  { name: 'endpoint', schema: endpointEventSchema, description: 'Webhook endpoint failing or disabled' },
] as const
