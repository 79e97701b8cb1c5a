import { membersRoutes } from '../generated/routes.ts'
import type {
  InviteAgainRequest,
  InvitedMember,
  InviteMemberRequest,
  Member,
  UpdateMemberRequest,
} from '../generated/types.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { type Connection, methods, type Query } from './resource.ts'

/** People who use the console for an account. Requires a key with the scope `admin`. */
export interface Members {
  /**
   * Creates a member, and an invitation, which only this response contains.
   *
   * @example
   * const { invitation } = await vaani.members.invite({ name: 'Asha Gurung', role: 'reviewer' })
   */
  invite(member: InviteMemberRequest, options?: RequestOptions): Pending<InvitedMember>
  /** Lists the account's members, newest first, including removed ones. */
  list(query?: Query<'members.list'>, options?: RequestOptions): List<Member>
  retrieve(memberId: string, options?: RequestOptions): Pending<Member>
  update(memberId: string, changes: UpdateMemberRequest, options?: RequestOptions): Pending<Member>
  /** Creates an invitation in place of an open one. */
  inviteAgain(
    memberId: string,
    invitation?: InviteAgainRequest,
    options?: RequestOptions,
  ): Pending<InvitedMember>
  /** Ends the member's sessions and ways to sign in for good. */
  remove(memberId: string, options?: RequestOptions): Pending<Member>
}

/** Creates the members namespace alone, for a smaller bundle. */
export const createMembers = (connection: Connection): Members =>
  methods(connection, 'members', membersRoutes, list)
