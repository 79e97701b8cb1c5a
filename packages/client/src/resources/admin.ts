import { adminRoutes } from '../generated/routes.ts'
import type {
  Account,
  AddCallerIdRequest,
  Agent,
  ApiKey,
  AuditEntry,
  CallerId,
  CreateAccountRequest,
  CreatedAccount,
  CreatedApiKey,
  CreateKeyRequest,
  UpdateAccountRequest,
  UpsertAgentRequest,
} from '../generated/types.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { type Connection, methods, type Query } from './resource.ts'

/** Accounts, keys, caller ids and agents. Requires a key with the scope `admin`. */
export interface Admin {
  /** Creates an account with its agents and its webhook secret, which only this response contains. Requires an operator's key. */
  createAccount(account: CreateAccountRequest, options?: RequestOptions): Pending<CreatedAccount>
  /** Lists every account for an operator's key, and only its own account for any other key. */
  listAccounts(query?: Query<'admin.listAccounts'>, options?: RequestOptions): List<Account>
  updateAccount(accountId: string, changes: UpdateAccountRequest, options?: RequestOptions): Pending<Account>
  /** Creates a key, which only this response contains. */
  createKey(key: CreateKeyRequest, options?: RequestOptions): Pending<CreatedApiKey>
  /** Lists the keys of the requesting key's mode, newest first, including revoked keys, without their secrets. */
  listKeys(query?: Query<'admin.listKeys'>, options?: RequestOptions): List<ApiKey>
  /** Revokes a key permanently. */
  revokeKey(keyId: string, options?: RequestOptions): Pending<ApiKey>
  /** Lists who changed what, and who looked at personal data in the console, newest first. */
  listAuditLog(query?: Query<'admin.listAuditLog'>, options?: RequestOptions): List<AuditEntry>
  /** Adds a number that the operator has verified as belonging to the account. Requires an operator's key. */
  addCallerId(callerId: AddCallerIdRequest, options?: RequestOptions): Pending<CallerId>
  listCallerIds(query?: Query<'admin.listCallerIds'>, options?: RequestOptions): List<CallerId>
  /** Removes the caller id from the account. Calls that wait to be dialled with it fail. */
  removeCallerId(callerIdId: string, options?: RequestOptions): Pending<void>
  /** Creates or replaces an agent of the key's own account. */
  upsertAgent(agentId: string, agent: UpsertAgentRequest, options?: RequestOptions): Pending<Agent>
}

export const createAdmin = (connection: Connection): Admin => methods(connection, 'admin', adminRoutes, list)
