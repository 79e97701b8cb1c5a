import {
  adminAddCallerId,
  adminCreateAccount,
  adminCreateKey,
  adminListAccounts,
  adminListCallerIds,
  adminListKeys,
  adminRemoveCallerId,
  adminRevokeKey,
  adminUpdateAccount,
  adminUpsertAgent,
} from '../generated/routes.ts'
import type {
  Account,
  AddCallerIdRequest,
  Agent,
  ApiKey,
  CallerId,
  CreateAccountRequest,
  CreatedApiKey,
  CreateKeyRequest,
  UpdateAccountRequest,
  UpsertAgentRequest,
} from '../generated/types.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { connect, type Connection, type Query, send } from './resource.ts'

/** Accounts, keys, caller ids and agents: for keys with the scope `admin`. */
export interface Admin {
  createAccount(account: CreateAccountRequest, options?: RequestOptions): Pending<Account>
  listAccounts(query?: Query<'admin.listAccounts'>, options?: RequestOptions): List<Account>
  updateAccount(accountId: string, changes: UpdateAccountRequest, options?: RequestOptions): Pending<Account>
  /** The answer holds the secret; it is shown this once. */
  createKey(key: CreateKeyRequest, options?: RequestOptions): Pending<CreatedApiKey>
  listKeys(query?: Query<'admin.listKeys'>, options?: RequestOptions): List<ApiKey>
  revokeKey(keyId: string, options?: RequestOptions): Pending<ApiKey>
  addCallerId(callerId: AddCallerIdRequest, options?: RequestOptions): Pending<CallerId>
  listCallerIds(query?: Query<'admin.listCallerIds'>, options?: RequestOptions): List<CallerId>
  removeCallerId(callerIdId: string, options?: RequestOptions): Pending<void>
  /** Creates or replaces an agent of the key's own account. */
  upsertAgent(agentId: string, agent: UpsertAgentRequest, options?: RequestOptions): Pending<Agent>
}

export function createAdmin(connection: Connection): Admin {
  const transport = connect(connection)
  return {
    createAccount: (json, options) => send(transport, adminCreateAccount, { json, options }),
    listAccounts: (query, options) => list(transport, { route: adminListAccounts, query, options }),
    updateAccount: (account_id, json, options) =>
      send(transport, adminUpdateAccount, { path: { account_id }, json, options }),
    createKey: (json, options) => send(transport, adminCreateKey, { json, options }),
    listKeys: (query, options) => list(transport, { route: adminListKeys, query, options }),
    revokeKey: (key_id, options) => send(transport, adminRevokeKey, { path: { key_id }, options }),
    addCallerId: (json, options) => send(transport, adminAddCallerId, { json, options }),
    listCallerIds: (query, options) => list(transport, { route: adminListCallerIds, query, options }),
    removeCallerId: (caller_id_id, options) =>
      send(transport, adminRemoveCallerId, { path: { caller_id_id }, options }),
    upsertAgent: (agent_id, json, options) =>
      send(transport, adminUpsertAgent, { path: { agent_id }, json, options }),
  }
}
