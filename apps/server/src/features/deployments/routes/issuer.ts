import type { Contract } from '@vaani/contracts'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { DeploymentsContext } from '../context.ts'
import { GRACE_MS } from '../rules/license.ts'

/** GET /enterprise/issuer */
export function readIssuer({
  store,
  issuers,
  clock,
}: DeploymentsContext): Handler<Contract['deployments']['issuer']> {
  return async () => {
    const nowMs = clock.nowMs()
    const revoked = await store.listRevoked(new Date(nowMs - GRACE_MS))
    const claims = { iat: Math.floor(nowMs / 1000), revoked }
    // Each key signs it, because a server verifies with the key that was current when its license was issued.
    const data = await Promise.all(
      issuers.map(async (issuer) => ({
        public_key: issuer.publicKey,
        revocations: await issuer.signRevocations(claims),
      })),
    )
    return { status: 200, body: { data } }
  }
}
