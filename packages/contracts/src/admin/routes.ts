import { z } from 'zod'
import { agentIdSchema, agentSchema, upsertAgentSchema } from '../agents/resources.ts'
import { namedIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts'
import { defineRoute } from '../shared/route.ts'
import { textSchema } from '../shared/text.ts'
import { noBody } from '../shared/ts-rest.ts'
import {
  accountSchema,
  addCallerIdSchema,
  apiKeySchema,
  auditEntrySchema,
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
      'Creates an account with the agents `reminder` and `support` and a webhook secret, which only this response contains. ' +
      'Requires an operator’s key.',
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
    description: 'Lists every account for an operator’s key, and only its own account for any other key.',
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
      'Changes the given fields. Only an operator’s key may change the tier, rates, policies and retentions. Once the account has a live key, a test key ' +
      'may change only `call_webhook_url`, because both modes share the rest.',
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
    description: `Creates a key, which only this response contains: the server stores its SHA-256. An account can have ${LIMITS.keysPerAccount} unrevoked keys per mode.`,
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
      'Lists the keys of the requesting key’s mode, newest first, including revoked keys, without their secrets.',
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
      'Revokes a key permanently. Every process stops accepting it within five seconds. ' +
      'Returns 409 for the last key that can administer the server (in live mode, the last live one): create another first.',
    scope: 'admin',
    beyondSpecification: true,
    pathParams: z.object({ key_id: namedIdSchema('key', 'not_found') }),
    body: noBody,
    success: { 200: apiKeySchema },
    errors: ['not_found', 'state_conflict'],
  }),
  listAuditLog: defineRoute({
    operation: 'admin.listAuditLog',
    method: 'GET',
    path: '/admin/audit-log',
    summary: 'List the audit log',
    description:
      'Lists who changed what in the account and the requesting key’s mode, and who looked at personal data in the console, newest first. Entries are never changed or removed.',
    scope: 'admin',
    beyondSpecification: true,
    query: pageQuerySchema('audit').extend({
      object_id: textSchema.min(1).max(64).optional().meta({ description: 'Only entries of this object.' }),
    }),
    success: { 200: pageSchema(auditEntrySchema) },
  }),
  addCallerId: defineRoute({
    operation: 'admin.addCallerId',
    method: 'POST',
    path: '/admin/caller-ids',
    summary: 'Add a verified caller id',
    description:
      'Adds a number that the operator has verified as belonging to the account. Requires an operator’s key.',
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
    description: 'Lists the account’s verified caller ids, newest first.',
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
    description:
      'Removes the caller id from the account. Calls that wait to be dialled with it fail with `caller-id`.',
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
    description: `Creates or replaces an agent of the key’s own account, which can have ${LIMITS.agentsPerAccount} agents per mode. Calls that have not been dialled yet use the new words.`,
    scope: 'admin',
    beyondSpecification: true,
    pathParams: z.object({ agent_id: agentIdSchema }),
    body: upsertAgentSchema,
    success: { 200: agentSchema },
    errors: ['voice_not_found', 'state_conflict'],
  }),
} as const
