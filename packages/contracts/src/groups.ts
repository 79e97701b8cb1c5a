import { adminGroup } from './admin/group.ts'
import { agentsGroup } from './agents/group.ts'
import { batchesGroup } from './batches/group.ts'
import { callerIdsGroup } from './caller-ids/group.ts'
import { callsGroup } from './calls/group.ts'
import { deploymentsGroup } from './deployments/group.ts'
import { doNotCallGroup } from './do-not-call/group.ts'
import { identityGroup } from './identity/group.ts'
import { lexiconsGroup } from './lexicons/group.ts'
import { limitsGroup } from './limits/group.ts'
import { membersGroup } from './members/group.ts'
import { migrationGroup } from './migration/group.ts'
import { modelsGroup } from './models/group.ts'
import { requestsGroup } from './requests/group.ts'
import { reviewsGroup } from './reviews/group.ts'
import type { GroupDeclaration } from './shared/group.ts'
import { speechGroup } from './speech/group.ts'
import { synthesisGroup } from './synthesis/group.ts'
import { systemGroup } from './system/group.ts'
import { voicesGroup } from './voices/group.ts'
import { watermarkGroup } from './watermark/group.ts'
import { webhooksGroup } from './webhooks/group.ts'

/** Every group, in the order of the documents. */
export const groups = [
  callsGroup,
  agentsGroup,
  speechGroup,
  synthesisGroup,
  watermarkGroup,
  lexiconsGroup,
  voicesGroup,
  identityGroup,
  reviewsGroup,
  modelsGroup,
  batchesGroup,
  deploymentsGroup,
  membersGroup,
  requestsGroup,
  limitsGroup,
  doNotCallGroup,
  callerIdsGroup,
  webhooksGroup,
  adminGroup,
  systemGroup,
  migrationGroup,
] as const
type Groups = typeof groups

type TablePart = 'ids' | 'limits' | 'rateLimits' | 'concurrencyLimits' | 'errors'

type Joined<List, Part extends TablePart> = List extends readonly [infer First, ...infer Rest]
  ? (First extends Readonly<Record<Part, infer Table>> ? Table : unknown) & Joined<Rest, Part>
  : unknown

/** Joins one table of all groups, in their order. */
export const tableOf = <Part extends TablePart>(
  part: Part,
): { readonly [Name in keyof Joined<Groups, Part>]: Joined<Groups, Part>[Name] } =>
  Object.assign({}, ...groups.map((group: GroupDeclaration) => group[part]))

type JoinedScopes<List> = List extends readonly [infer First, ...infer Rest]
  ? First extends { readonly scopes: infer Scopes extends readonly string[] }
    ? readonly [...Scopes, ...JoinedScopes<Rest>]
    : JoinedScopes<Rest>
  : readonly []

/** Scopes of all groups. */
export function listScopes(): JoinedScopes<Groups> {
  const scopes: readonly string[] = groups.flatMap(({ scopes = [] }: GroupDeclaration) => scopes)
  // A cast, because the compiler does not know how many there are.
  return scopes as JoinedScopes<Groups>
}

/** Types of the webhook events of all groups. */
export const listEventTypes = () =>
  groups.flatMap((group) => ('events' in group ? Object.values(group.events) : []))
