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

/** Webhook endpoints and deliveries. To verify received deliveries, use `unwrapWebhook` from `@vaani/client/webhooks`. */
export interface Webhooks {
  /** Creates an endpoint with a secret that signs its deliveries, which only this response contains. */
  createEndpoint(
    endpoint: CreateWebhookEndpointRequest,
    options?: RequestOptions,
  ): Pending<Data<'webhooks.createEndpoint'>>
  /** Lists the endpoints without their secrets, newest first. */
  listEndpoints(query?: Query<'webhooks.listEndpoints'>, options?: RequestOptions): List<WebhookEndpoint>
  /**
   * Returns the endpoint without its secret: whether it is enabled, why and since when it is disabled, and since when it has been
   * failing, and until when its previous secret signs too.
   */
  retrieveEndpoint(endpointId: string, options?: RequestOptions): Pending<WebhookEndpoint>
  /** Changes the given fields. */
  updateEndpoint(
    endpointId: string,
    changes: UpdateWebhookEndpointRequest,
    options?: RequestOptions,
  ): Pending<WebhookEndpoint>
  /** Deletes the endpoint and erases its secret. Its pending deliveries become dead; the history of its deliveries stays. */
  deleteEndpoint(endpointId: string, options?: RequestOptions): Pending<void>
  /**
   * Replaces the secret of the endpoint; only this response contains the new one. During the overlap, `webhook-signature` contains
   * a signature with each secret, and `X-Service-Signature` one with the new secret unless `sign_with` is `previous`.
   */
  rotateSecret(
    endpointId: string,
    request?: RotateWebhookSecretRequest,
    options?: RequestOptions,
  ): Pending<WebhookSecret>
  /**
   * Replaces the secret that signs deliveries to callback URLs and to the account's call webhook; neither kind of URL is accepted
   * before there is one. Only this response contains the new secret.
   */
  rotateAccountSecret(
    request?: RotateAccountWebhookSecretRequest,
    options?: RequestOptions,
  ): Pending<WebhookSecret>
  /** Sends one delivery with made-up data, marked as a `test_event`. Fails with `state_conflict` if the endpoint is disabled. */
  sendTestEvent(
    endpointId: string,
    request: SendTestEventRequest,
    options?: RequestOptions,
  ): Pending<WebhookDelivery>
  /** Lists deliveries, newest first; the query filters by status, endpoint, event type, object and time. */
  listDeliveries(query?: Query<'webhooks.listDeliveries'>, options?: RequestOptions): List<WebhookDelivery>
  /** Returns the delivery with its body and its latest attempts. */
  retrieveDelivery(deliveryId: string, options?: RequestOptions): Pending<WebhookDeliveryDetail>
  /** Sends the delivery again with the same event id, even if it is dead. */
  resend(deliveryId: string, options?: RequestOptions): Pending<WebhookDelivery>
  /** Resends every dead delivery created at `since` or later, and before `until` if it is given. */
  recover(request: RecoverDeliveriesRequest, options?: RequestOptions): Pending<RecoverDeliveriesResponse>
}

/** Creates the webhooks namespace alone, for a smaller bundle. */
export const createWebhooks = (connection: Connection): Webhooks =>
  methods(connection, 'webhooks', webhooksRoutes, list)
