import { z } from 'zod'
import { agentIdSchema, agentSchema, upsertAgentSchema } from '../agents/resources.ts'
import { namedIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts'
import { defineRoute } from '../shared/route.ts'
import { noBody } from '../shared/ts-rest.ts'
import {
  accountSchema,
  addCallerIdSchema,
  apiKeySchema,
  callerIdSchema,
  createAccountSchema,
  createdAccountSchema,
  createdKeySchema,
  createKeySchema,
  onAccountSchema,
  updateAccountSchema,
} from './resources.ts'

const accountPath = z.object({ account_id: namedIdSchema('account', 'not_found') })

/** Accounts, keys, caller ids and agents: all beyond the specification, all with the scope `admin`. */
export const adminRoutes = {
  createAccount: defineRoute({
    operation: 'admin.createAccount',
    secretAnswer: true,
    method: 'POST',
    path: '/admin/accounts',
    summary: 'Create an account',
    description:
      'With the agents `reminder` and `support` and a webhook secret, which is in this answer alone. Only for an ' +
      'operator’s key.',
    scope: 'admin',
    beyondSpecification: true,
    body: createAccountSchema,
    success: { 201: createdAccountSchema },
  }),
  listAccounts: defineRoute({
    operation: 'admin.listAccounts',
    method: 'GET',
    path: '/admin/accounts',
    summary: 'List accounts',
    description: 'An operator’s key sees all, any other only its own.',
    scope: 'admin',
    beyondSpecification: true,
    query: pageQuerySchema('account'),
    success: { 200: pageSchema(accountSchema) },
  }),
  updateAccount: defineRoute({
    operation: 'admin.updateAccount',
    method: 'PATCH',
    path: '/admin/accounts/:account_id',
    summary: 'Change an account',
    description:
      'Tier, rates, policies and retentions only by an operator’s key. Once the account has a live key, a test key may change ' +
      '`call_webhook_url` alone, as both modes share the rest.',
    scope: 'admin',
    beyondSpecification: true,
    pathParams: accountPath,
    body: updateAccountSchema,
    success: { 200: accountSchema },
    errors: ['not_found'],
  }),
  createKey: defineRoute({
    operation: 'admin.createKey',
    secretAnswer: true,
    method: 'POST',
    path: '/admin/keys',
    summary: 'Create an API key',
    description: `The secret is in this answer and nowhere else: what is kept is its SHA-256. An account may have ${LIMITS.keysPerAccount} in each mode that are not revoked.`,
    scope: 'admin',
    beyondSpecification: true,
    body: createKeySchema,
    success: { 201: createdKeySchema },
    errors: ['not_found', 'state_conflict'],
  }),
  listKeys: defineRoute({
    operation: 'admin.listKeys',
    method: 'GET',
    path: '/admin/keys',
    summary: 'List API keys',
    description:
      'Those of the asking key’s mode, without their secrets, revoked ones included, newest first.',
    scope: 'admin',
    beyondSpecification: true,
    query: pageQuerySchema('key').extend({ account_id: onAccountSchema }),
    success: { 200: pageSchema(apiKeySchema) },
    errors: ['not_found'],
  }),
  revokeKey: defineRoute({
    operation: 'admin.revokeKey',
    method: 'DELETE',
    path: '/admin/keys/:key_id',
    summary: 'Revoke an API key',
    description:
      'For ever. The process that is asked forgets it at once, others within five seconds. 409 for the last key that can ' +
      'administer the server, in live mode the last live one: make another first.',
    scope: 'admin',
    beyondSpecification: true,
    pathParams: z.object({ key_id: namedIdSchema('key', 'not_found') }),
    body: noBody,
    success: { 200: apiKeySchema },
    errors: ['not_found', 'state_conflict'],
  }),
  addCallerId: defineRoute({
    operation: 'admin.addCallerId',
    method: 'POST',
    path: '/admin/caller-ids',
    summary: 'Add a verified caller id',
    description: 'The operator vouches that the number is the account’s. Only for an operator’s key.',
    scope: 'admin',
    beyondSpecification: true,
    body: addCallerIdSchema,
    success: { 201: callerIdSchema },
    errors: ['not_found', 'invalid_phone'],
  }),
  listCallerIds: defineRoute({
    operation: 'admin.listCallerIds',
    method: 'GET',
    path: '/admin/caller-ids',
    summary: 'List verified caller ids',
    description: 'Newest first.',
    scope: 'admin',
    beyondSpecification: true,
    query: pageQuerySchema('caller_id').extend({ account_id: onAccountSchema }),
    success: { 200: pageSchema(callerIdSchema) },
    errors: ['not_found'],
  }),
  removeCallerId: defineRoute({
    operation: 'admin.removeCallerId',
    method: 'DELETE',
    path: '/admin/caller-ids/:caller_id_id',
    summary: 'Remove a verified caller id',
    description: 'Calls that were placed with it keep it.',
    scope: 'admin',
    beyondSpecification: true,
    pathParams: z.object({ caller_id_id: namedIdSchema('caller_id', 'not_found') }),
    body: noBody,
    success: { 204: noBody },
    successBody: 'none',
    errors: ['not_found'],
  }),
  upsertAgent: defineRoute({
    operation: 'admin.upsertAgent',
    method: 'PUT',
    path: '/admin/agents/:agent_id',
    summary: 'Create or replace an agent',
    description: `Of the key’s own account, which may have ${LIMITS.agentsPerAccount} in each mode. Calls that are not yet dialled speak the new words.`,
    scope: 'admin',
    beyondSpecification: true,
    pathParams: z.object({ agent_id: agentIdSchema }),
    body: upsertAgentSchema,
    success: { 200: agentSchema },
    errors: ['voice_not_found', 'state_conflict'],
  }),
} as const
