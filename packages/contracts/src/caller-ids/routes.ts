import { z } from 'zod'
import { namedIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts'
import { defineRoute } from '../shared/route.ts'
import { noBody } from '../shared/ts-rest.ts'
import {
  ownCallerIdSchema,
  startCallerIdSchema,
  startedCallerIdSchema,
  verifyCallerIdSchema,
} from './resources.ts'

const path = '/v1/caller-ids'
const callerIdPath = z.object({ caller_id_id: namedIdSchema('caller_id', 'not_found') })

/** Numbers that calls may show, verified by a call that says a code. */
export const callerIdRoutes = {
  start: defineRoute({
    operation: 'callerIds.start',
    method: 'POST',
    path,
    summary: 'Verify a caller id by a call',
    description:
      `Calls the number. A voice says who asked for the call, and a code of ${LIMITS.callerIdCodeDigits} digits twice, which \`POST /v1/caller-ids/{caller_id_id}/verify\` ` +
      `takes for ${LIMITS.callerIdCodeMinutes} minutes. The call is neither recorded nor listed with the calls of agents, and sends no webhooks. ` +
      `A number is called once at a time, and at most ${LIMITS.callerIdCallsPerDay} times in 24 hours, by all accounts of the server together; beyond that the request is refused as \`rate_limit_exceeded\`. ` +
      'In test mode with the simulator no phone rings, so the response has the code as `test_code`, and the account’s own calls alone count.',
    scope: 'admin',
    limit: 'caller_id_calls',
    beyondSpecification: true,
    body: startCallerIdSchema,
    success: { 201: startedCallerIdSchema },
    errors: ['invalid_phone', 'number_barred', 'outside_calling_hours', 'do_not_call', 'state_conflict'],
  }),
  verify: defineRoute({
    operation: 'callerIds.verify',
    method: 'POST',
    path: `${path}/:caller_id_id/verify`,
    summary: 'Enter the code of a caller id',
    description:
      `Verifies the number if the code is the one that the call said; otherwise the request is refused as \`incorrect_code\`. After ${LIMITS.callerIdCodeAttempts} wrong codes the verification fails. ` +
      'Returns 409 unless it is `pending`.',
    scope: 'admin',
    limit: 'caller_id_changes',
    beyondSpecification: true,
    pathParams: callerIdPath,
    body: verifyCallerIdSchema,
    success: { 200: ownCallerIdSchema },
    errors: ['not_found', 'state_conflict', 'incorrect_code'],
  }),
  retrieve: defineRoute({
    operation: 'callerIds.retrieve',
    method: 'GET',
    path: `${path}/:caller_id_id`,
    summary: 'Read a caller id',
    description: 'Returns the caller id with its status. A failed verification is kept for a day.',
    scope: 'admin',
    beyondSpecification: true,
    pathParams: callerIdPath,
    success: { 200: ownCallerIdSchema },
    errors: ['not_found'],
  }),
  list: defineRoute({
    operation: 'callerIds.list',
    method: 'GET',
    path,
    summary: 'List caller ids and verifications',
    description:
      'Lists the account’s caller ids of this mode, newest first, with those that the operator added.',
    scope: 'admin',
    beyondSpecification: true,
    query: pageQuerySchema('caller_id'),
    success: { 200: pageSchema(ownCallerIdSchema) },
  }),
  remove: defineRoute({
    operation: 'callerIds.remove',
    method: 'DELETE',
    path: `${path}/:caller_id_id`,
    summary: 'Remove a caller id',
    description:
      'No call can show the number from then on: it is refused when a call is placed, and calls that wait fail with `caller-id`. ' +
      'Removing a verification ends it.',
    scope: 'admin',
    limit: 'caller_id_changes',
    beyondSpecification: true,
    pathParams: callerIdPath,
    body: noBody,
    success: { 204: noBody },
    successBody: 'none',
    errors: ['not_found'],
  }),
} as const
