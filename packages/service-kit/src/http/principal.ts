import type { RateOverrides, Scope, Tier } from '@vaani/contracts'
import type { Tenant } from '../tenant.ts'

/** Who a request comes from. */
export interface Principal extends Tenant {
  keyId: string
  scopes: ReadonlySet<Scope>
  tier: Tier
  operator: boolean
  rateOverrides: Readonly<RateOverrides>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null on public routes. Read it by `principalOf`. */
    principal: Principal | null
  }
}
