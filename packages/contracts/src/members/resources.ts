import { z } from 'zod'
import { accountIdSchema, keyIdSchema, onAccountSchema } from '../admin/resources.ts'
import { timeSchema } from '../shared/checks.ts'
import { idSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { described } from '../shared/route.ts'
import { lineSchema } from '../shared/text.ts'

export const memberIdSchema = idSchema('member')

export const MEMBER_ROLES = ['owner', 'developer', 'reviewer', 'viewer'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

export const MEMBER_STATUSES = ['invited', 'active', 'removed'] as const

const nameSchema = described(lineSchema.min(1).max(100), 'How colleagues see the member, in reviews too.')
const roleSchema = z.enum(MEMBER_ROLES).meta({
  description:
    '`owner`: everything; `developer`: all but members, keys and reviews; `reviewer`: reviews, and reading verifications; ' +
    '`viewer`: reading.',
})
const liveSchema = z.boolean().meta({
  description:
    'Whether the member may work in live mode too. Only a live key or session may change such a member.',
})

export const inviteMemberSchema = z
  .strictObject({
    account_id: onAccountSchema,
    name: nameSchema,
    role: roleSchema,
    livemode: liveSchema.optional().meta({ description: 'Defaults to the mode of the request.' }),
  })
  .meta({ id: 'InviteMemberRequest', examples: [{ name: 'Asha Gurung', role: 'reviewer' }] })

export const updateMemberSchema = z
  .strictObject({
    name: nameSchema.optional(),
    role: roleSchema.optional(),
    livemode: liveSchema.optional(),
  })
  .meta({ id: 'UpdateMemberRequest', examples: [{ role: 'viewer' }] })

export const memberSchema = z
  .object({
    member_id: memberIdSchema,
    account_id: accountIdSchema,
    name: nameSchema,
    role: roleSchema,
    livemode: liveSchema,
    status: z.enum(MEMBER_STATUSES).meta({ description: '`invited` until the member has a way to sign in.' }),
    test_key_id: described(keyIdSchema, 'Names the member as `key_id` in what they do in test mode.'),
    live_key_id: described(keyIdSchema.nullable(), 'Likewise in live mode; null if they never could.'),
    invitation_expires_at: described(timeSchema.nullable(), 'Null without an open invitation.'),
    signed_in_at: described(timeSchema.nullable(), 'Null before the first time.'),
    created_at: timeSchema,
    removed_at: described(timeSchema.nullable(), 'Null for a member who was not removed.'),
  })
  .meta({ id: 'Member' })
export type Member = z.output<typeof memberSchema>

export const invitedMemberSchema = memberSchema
  .extend({
    invitation: z.string().meta({
      description: `Opens \`/console/#invitation=…\`, where the member sets up a way to sign in: once, within ${LIMITS.invitationDays} days. Shown only once.`,
    }),
  })
  .meta({ id: 'InvitedMember' })
export type InvitedMember = z.output<typeof invitedMemberSchema>
