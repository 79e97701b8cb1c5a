import { z } from 'zod'
import { namedIdSchema } from '../shared/ids.ts'
import { LIMITS, WEBHOOK_FAILING_DISABLED_DAYS, WEBHOOK_FAILING_WARNING_DAYS } from '../shared/limits.ts'
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

const endpointPath = z.object({ endpoint_id: namedIdSchema('endpoint', 'not_found') })
const deliveryPath = z.object({ delivery_id: namedIdSchema('delivery', 'not_found') })

const HEADER_IN_OVERLAP =
  'During the overlap `webhook-signature` holds a signature of each secret, and `X-Service-Signature`, which holds one, is ' +
  'made with the new secret unless `sign_with` is `previous`. A further rotation ends the secret before the previous one.'

/** Webhook endpoints and deliveries: all beyond the specification. */
export const webhookRoutes = {
  createEndpoint: defineRoute({
    operation: 'webhooks.createEndpoint',
    secretAnswer: true,
    method: 'POST',
    path: '/webhooks/endpoints',
    summary: 'Create a webhook endpoint',
    description:
      'Deliveries are signed with the secret in this answer. An account may have ' +
      `${LIMITS.endpointsPerAccount} in each mode.`,
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
    description: 'Without their secrets.',
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
      'Whether and since when it fails, and why and since when it is disabled; without its secret.',
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
      'Pending deliveries of a disabled endpoint wait until it is enabled again or they are dead. An endpoint that ' +
      'answers 410 is disabled at once, and one that does nothing but fail for ' +
      `${WEBHOOK_FAILING_DISABLED_DAYS} days is disabled after a warning at ${WEBHOOK_FAILING_WARNING_DAYS}: the other ` +
      'endpoints get `webhook.endpoint_failing` and `webhook.endpoint_disabled`. Another URL and enabling begin the count anew.',
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
      'Erases its secret. Its pending deliveries end as dead, `endpoint_deleted`; the history of its deliveries stays.',
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
    summary: 'Rotate a secret',
    description: HEADER_IN_OVERLAP,
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
      'It signs what is sent to callback URLs and to the account’s call webhook, and each mode has its own. The first is ' +
      `made by this request or with the account; without one neither kind of URL is accepted. ${HEADER_IN_OVERLAP}`,
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
      'One delivery with made-up data, whose metadata or external id say so. 409 where the endpoint is disabled.',
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
      'Newest first, those of the asking key’s mode. One that is delivered at once is listed when its attempt has ended.',
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
    description: 'With every attempt.',
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
    summary: 'Send a delivery again',
    description: 'With the same event id; also a dead one. 409 if its endpoint was deleted.',
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
    summary: 'Send all dead deliveries again',
    description: 'Those of events since a time, after a receiver was down; none to deleted endpoints.',
    scope: 'admin',
    beyondSpecification: true,
    body: recoverSchema,
    success: { 202: z.object({ resent: z.int().min(0) }).meta({ id: 'RecoverDeliveriesResponse' }) },
  }),
} as const
