import { contract, type RouteMetadata, type Scope, type WebhookEventType } from '@vaani/contracts'

const { calls, identity, reviews, models, batches, webhooks } = contract

type Reader = { readonly metadata: RouteMetadata }
const OF_VERIFICATION: readonly Reader[] = [identity.retrieve, reviews.retrieve]

/** The routes that show what an event is about. */
const READERS: Readonly<Record<WebhookEventType, readonly Reader[]>> = {
  'call.queued': [calls.retrieve],
  'call.in_progress': [calls.retrieve],
  'call.completed': [calls.retrieve],
  'call.failed': [calls.retrieve],
  'verification.review': OF_VERIFICATION,
  'verification.approved': OF_VERIFICATION,
  'verification.declined': OF_VERIFICATION,
  'document.completed': [models.ocrDocument],
  'batch.completed': [batches.retrieve],
  'batch.failed': [batches.retrieve],
  'batch.canceled': [batches.retrieve],
  'webhook.endpoint_failing': [webhooks.retrieveEndpoint],
  'webhook.endpoint_disabled': [webhooks.retrieveEndpoint],
}

/** Whether somebody with these scopes may read what an event of a type is about. */
export const mayRead = (type: WebhookEventType, scopes: ReadonlySet<Scope>): boolean =>
  READERS[type].some(({ metadata: { scope } }) => scope === null || scopes.has(scope))
