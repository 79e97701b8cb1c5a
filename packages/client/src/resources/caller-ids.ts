import { callerIdsRoutes } from '../generated/routes.ts'
import type {
  OwnCallerId,
  StartCallerIdRequest,
  StartedCallerId,
  VerifyCallerIdRequest,
} from '../generated/types.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { type Connection, methods, type Query } from './resource.ts'

/** Numbers that the account's calls may show, verified by a call that says a code. */
export interface CallerIds {
  /**
   * Calls the number and says a code, which `verify` takes for ten minutes.
   *
   * @example
   * const { caller_id_id } = await vaani.callerIds.start({ phone_number: '+9779801234567' })
   * await vaani.callerIds.verify(caller_id_id, { code: '042917' })
   */
  start(callerId: StartCallerIdRequest, options?: RequestOptions): Pending<StartedCallerId>
  /** Verifies the number if the code is the one that the call said. After five wrong codes the verification fails. */
  verify(callerIdId: string, code: VerifyCallerIdRequest, options?: RequestOptions): Pending<OwnCallerId>
  retrieve(callerIdId: string, options?: RequestOptions): Pending<OwnCallerId>
  /** Lists caller ids and verifications, newest first, with those that the operator added. */
  list(query?: Query<'callerIds.list'>, options?: RequestOptions): List<OwnCallerId>
  /** Removes a caller id: no call can show it from then on, not even one that waits to be dialled. */
  remove(callerIdId: string, options?: RequestOptions): Pending<void>
}

/** Creates the namespace of caller ids alone, for a smaller bundle. */
export const createCallerIds = (connection: Connection): CallerIds =>
  methods(connection, 'callerIds', callerIdsRoutes, list)
