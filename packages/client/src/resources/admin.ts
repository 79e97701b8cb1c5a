import { adminRoutes } from '../generated/routes.ts'
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
import { type Connection, methods, type Query } from './resource.ts'

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

export const createAdmin = (connection: Connection): Admin => methods(connection, 'admin', adminRoutes, list)
