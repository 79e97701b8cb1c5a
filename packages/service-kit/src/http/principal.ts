import type { Id, MemberRole, RateOverrides, Scope, Tier } from '@vaani/contracts'
import type { Tenant } from '../tenant.ts'

/** The authenticated caller of a request. */
export interface Principal extends Tenant {
  keyId: Id<'key'>
  scopes: ReadonlySet<Scope>
  tier: Tier
  operator: boolean
  rateOverrides: Readonly<RateOverrides>
  /** Models that the caller may name in a body or a query; any by default. */
  models?: ReadonlySet<string> | undefined
  /** The person for whom the key stands, if it is a member. */
  member?: { id: Id<'member'>; name: string; role: MemberRole } | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null on public routes. Use `principalOf` to read it. */
    principal: Principal | null
  }
}
