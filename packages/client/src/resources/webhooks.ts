import { webhooksRoutes } from '../generated/routes.ts'
import type {
  CreateWebhookEndpointRequest,
  RecoverDeliveriesRequest,
  RecoverDeliveriesResponse,
  RotateAccountWebhookSecretRequest,
  RotateWebhookSecretRequest,
  SendTestEventRequest,
  UpdateWebhookEndpointRequest,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
  WebhookSecret,
} from '../generated/types.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { type Connection, type Data, methods, type Query } from './resource.ts'

export { InvalidSignatureError } from '@vaani/webhook-verifier'
export { unwrapWebhook } from './unwrap-webhook.ts'
export type { WebhookEvent, WebhookInbox } from './wait.ts'
export { createWebhookInbox, type MemoryInbox } from './webhook-inbox.ts'

/** Webhook endpoints and deliveries. `unwrapWebhook` of `@vaani/client/webhooks` verifies what is received. */
export interface Webhooks {
  /** The answer holds the secret that deliveries are signed with; it is shown this once. */
  createEndpoint(
    endpoint: CreateWebhookEndpointRequest,
    options?: RequestOptions,
  ): Pending<Data<'webhooks.createEndpoint'>>
  listEndpoints(query?: Query<'webhooks.listEndpoints'>, options?: RequestOptions): List<WebhookEndpoint>
  /** Whether and since when it fails, and why and since when it is disabled. */
  retrieveEndpoint(endpointId: string, options?: RequestOptions): Pending<WebhookEndpoint>
  updateEndpoint(
    endpointId: string,
    changes: UpdateWebhookEndpointRequest,
    options?: RequestOptions,
  ): Pending<WebhookEndpoint>
  /** Erases its secret and ends its pending deliveries; their history stays. */
  deleteEndpoint(endpointId: string, options?: RequestOptions): Pending<void>
  /**
   * During the overlap `webhook-signature` holds a signature of each secret, and `X-Service-Signature` that of the new one
   * unless `sign_with` is `previous`.
   */
  rotateSecret(
    endpointId: string,
    request?: RotateWebhookSecretRequest,
    options?: RequestOptions,
  ): Pending<WebhookSecret>
  /** The secret of callback URLs and of the account's call webhook; neither is accepted before there is one. */
  rotateAccountSecret(
    request?: RotateAccountWebhookSecretRequest,
    options?: RequestOptions,
  ): Pending<WebhookSecret>
  sendTestEvent(
    endpointId: string,
    request: SendTestEventRequest,
    options?: RequestOptions,
  ): Pending<WebhookDelivery>
  /** Newest first; by status, endpoint, type, object and time. */
  listDeliveries(query?: Query<'webhooks.listDeliveries'>, options?: RequestOptions): List<WebhookDelivery>
  /** With every attempt. */
  retrieveDelivery(deliveryId: string, options?: RequestOptions): Pending<WebhookDeliveryDetail>
  /** With the same event id; also a dead one. */
  resend(deliveryId: string, options?: RequestOptions): Pending<WebhookDelivery>
  /** Sends every dead delivery since a time again. */
  recover(request: RecoverDeliveriesRequest, options?: RequestOptions): Pending<RecoverDeliveriesResponse>
}

/** Webhooks alone, for a smaller bundle. */
export const createWebhooks = (connection: Connection): Webhooks =>
  methods(connection, 'webhooks', webhooksRoutes, list)
