import { adminRoutes } from './accounts/routes.ts'
import { agentRoutes, callRoutes } from './calls/routes.ts'
import { identityRoutes } from './identity/routes.ts'
import { batchRoutes, deploymentRoutes, modelRoutes } from './platform/routes.ts'
import { defineContract } from './shared/ts-rest.ts'
import { speechRoutes, synthesisRoutes, voiceRoutes } from './speech/routes.ts'
import { systemRoutes } from './system/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** Every endpoint of the service. A server mounts what it serves of it, and publishes just that. */
export const contract = defineContract({
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
export type Contract = typeof contract
