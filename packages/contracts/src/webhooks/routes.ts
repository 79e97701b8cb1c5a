import { z } from 'zod'
import { namedIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts'
import { defineRoute } from '../shared/route.ts'
import { noBody } from '../shared/ts-rest.ts'
import {
  createEndpointSchema,
  deliveryDetailSchema,
  deliverySchema,
  endpointSchema,
  listDeliveriesQuerySchema,
  recoverSchema,
  rotateAccountSecretSchema,
  rotateSecretSchema,
  secretSchema,
  testEventSchema,
  updateEndpointSchema,
} from './resources.ts'
import { WEBHOOK_FAILING_DISABLED_DAYS, WEBHOOK_FAILING_WARNING_DAYS } from './retries.ts'

const endpointPath = z.object({ endpoint_id: namedIdSchema('endpoint', 'not_found') })
const deliveryPath = z.object({ delivery_id: namedIdSchema('delivery', 'not_found') })

const HEADER_IN_OVERLAP =
  'During the overlap, `webhook-signature` contains a signature with each secret; `X-Service-Signature` contains only one, ' +
  'made with the new secret unless `sign_with` is `previous`. Rotating again during the overlap ends the older secret.'

/** Webhook endpoints and deliveries: all beyond the specification. */
export const webhookRoutes = {
  createEndpoint: defineRoute({
    operation: 'webhooks.createEndpoint',
    secretAnswer: true,
    method: 'POST',
    path: '/webhooks/endpoints',
    summary: 'Create a webhook endpoint',
    description:
      'Creates an endpoint with a secret that signs its deliveries, which only this response contains. An account can have ' +
      `${LIMITS.endpointsPerAccount} endpoints per mode.`,
    scope: 'admin',
    beyondSpecification: true,
    body: createEndpointSchema,
    success: { 201: endpointSchema.extend(secretSchema.shape) },
    errors: ['state_conflict'],
  }),
  listEndpoints: defineRoute({
    operation: 'webhooks.listEndpoints',
    method: 'GET',
    path: '/webhooks/endpoints',
    summary: 'List webhook endpoints',
    description: 'Lists the endpoints without their secrets, newest first.',
    scope: 'admin',
    beyondSpecification: true,
    query: pageQuerySchema('endpoint'),
    success: { 200: pageSchema(endpointSchema) },
  }),
  retrieveEndpoint: defineRoute({
    operation: 'webhooks.retrieveEndpoint',
    method: 'GET',
    path: '/webhooks/endpoints/:endpoint_id',
    summary: 'Read a webhook endpoint',
    description:
      'Returns the endpoint without its secret: whether it is enabled, why and since when it is disabled, and since when it ' +
      'has been failing.',
    scope: 'admin',
    beyondSpecification: true,
    pathParams: endpointPath,
    success: { 200: endpointSchema },
    errors: ['not_found'],
  }),
  updateEndpoint: defineRoute({
    operation: 'webhooks.updateEndpoint',
    method: 'PATCH',
    path: '/webhooks/endpoints/:endpoint_id',
    summary: 'Change or disable a webhook endpoint',
    description:
      'Changes the given fields. Pending deliveries of a disabled endpoint wait until it is enabled again or they are dead. An endpoint that ' +
      'returns 410 is disabled at once. One whose attempts all fail is disabled after ' +
      `${WEBHOOK_FAILING_DISABLED_DAYS} days, with a warning after ${WEBHOOK_FAILING_WARNING_DAYS}: the other endpoints get ` +
      '`webhook.endpoint_failing` and `webhook.endpoint_disabled`. Changing the URL or enabling the endpoint restarts the count.',
    scope: 'admin',
    beyondSpecification: true,
    pathParams: endpointPath,
    body: updateEndpointSchema,
    success: { 200: endpointSchema },
    errors: ['not_found'],
  }),
  deleteEndpoint: defineRoute({
    operation: 'webhooks.deleteEndpoint',
    method: 'DELETE',
    path: '/webhooks/endpoints/:endpoint_id',
    summary: 'Delete a webhook endpoint',
    description:
      'Deletes the endpoint and erases its secret. Its pending deliveries become dead (`endpoint_deleted`); the history of its ' +
      'deliveries stays.',
    scope: 'admin',
    beyondSpecification: true,
    pathParams: endpointPath,
    body: noBody,
    success: { 204: noBody },
    successBody: 'none',
    errors: ['not_found'],
  }),
  rotateSecret: defineRoute({
    operation: 'webhooks.rotateSecret',
    secretAnswer: true,
    method: 'POST',
    path: '/webhooks/endpoints/:endpoint_id/rotate-secret',
    summary: 'Rotate the secret of an endpoint',
    description: `Replaces the secret of the endpoint; only this response contains the new one. ${HEADER_IN_OVERLAP}`,
    scope: 'admin',
    beyondSpecification: true,
    pathParams: endpointPath,
    body: rotateSecretSchema,
    success: { 200: secretSchema },
    errors: ['not_found'],
  }),
  rotateAccountSecret: defineRoute({
    operation: 'webhooks.rotateAccountSecret',
    secretAnswer: true,
    method: 'POST',
    path: '/webhooks/rotate-secret',
    summary: 'Rotate the account’s secret',
    description:
      'This secret signs deliveries to callback URLs and to the account’s call webhook; each mode has its own. The first one is ' +
      'created by this request or with the account, and until then neither kind of URL is accepted. Only this response contains ' +
      `the new secret. ${HEADER_IN_OVERLAP}`,
    scope: 'admin',
    beyondSpecification: true,
    body: rotateAccountSecretSchema,
    success: { 200: secretSchema },
    errors: ['not_found'],
  }),
  sendTestEvent: defineRoute({
    operation: 'webhooks.sendTestEvent',
    method: 'POST',
    path: '/webhooks/endpoints/:endpoint_id/test',
    summary: 'Send a test event',
    description:
      'Sends one delivery with made-up data, marked `test_event` in its metadata, external id or URL. Returns 409 if the endpoint is disabled.',
    scope: 'admin',
    beyondSpecification: true,
    pathParams: endpointPath,
    body: testEventSchema,
    success: { 202: deliverySchema },
    errors: ['not_found', 'state_conflict'],
  }),
  listDeliveries: defineRoute({
    operation: 'webhooks.listDeliveries',
    method: 'GET',
    path: '/webhooks/deliveries',
    summary: 'List deliveries',
    description:
      'Lists the deliveries of the requesting key’s mode, newest first. A delivery that succeeds at once appears when its attempt ' +
      'has ended.',
    scope: 'admin',
    beyondSpecification: true,
    query: listDeliveriesQuerySchema,
    success: { 200: pageSchema(deliverySchema) },
  }),
  retrieveDelivery: defineRoute({
    operation: 'webhooks.retrieveDelivery',
    method: 'GET',
    path: '/webhooks/deliveries/:delivery_id',
    summary: 'Read a delivery',
    description: 'Returns the delivery with its body and its latest attempts.',
    scope: 'admin',
    beyondSpecification: true,
    pathParams: deliveryPath,
    success: { 200: deliveryDetailSchema },
    errors: ['not_found'],
  }),
  resend: defineRoute({
    operation: 'webhooks.resend',
    method: 'POST',
    path: '/webhooks/deliveries/:delivery_id/resend',
    summary: 'Resend a delivery',
    description:
      'Sends the delivery again with the same event id, even if it is dead. Returns 409 if its endpoint was deleted.',
    scope: 'admin',
    beyondSpecification: true,
    pathParams: deliveryPath,
    body: noBody,
    success: { 202: deliverySchema },
    errors: ['not_found', 'state_conflict'],
  }),
  recover: defineRoute({
    operation: 'webhooks.recover',
    method: 'POST',
    path: '/webhooks/deliveries/recover',
    summary: 'Resend all dead deliveries',
    description:
      'Resends every dead delivery created at `since` or later, and before `until` if it is given, for example after a receiver was ' +
      'down. Skips deleted endpoints.',
    scope: 'admin',
    beyondSpecification: true,
    body: recoverSchema,
    success: {
      202: z
        .object({ resent: z.int().min(0).meta({ description: 'Number of deliveries resent.' }) })
        .meta({ id: 'RecoverDeliveriesResponse' }),
    },
  }),
} as const
