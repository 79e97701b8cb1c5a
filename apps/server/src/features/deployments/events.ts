/** Events about deployments that are counted and logged. */
export const DEPLOYMENT_EVENTS = ['deployment_created', 'deployment_revoked'] as const
export type DeploymentEvent = (typeof DEPLOYMENT_EVENTS)[number]
