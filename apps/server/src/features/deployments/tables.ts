import type { DeploymentTarget, Id, SynthesisModel } from '@vaani/contracts'
import type { Generated } from 'kysely'

export interface DeploymentTable {
  deployment_id: string
  account_id: Id<'account'>
  livemode: boolean
  name: string
  base_model: SynthesisModel
  target: DeploymentTarget
  replicas: number
  models: string[]
  seats: number
  created_at: Date
  expires_at: Date
  revoked_at: Date | null
}

/** The one row of a server under a license. */
export interface LicenseStateTable {
  single: Generated<boolean>
  /** Account that the license authenticates. */
  account_id: Id<'account'>
  /** Key of the license that was configured last. */
  key_id: Id<'key'>
  /** Newest revocation list that was verified. */
  revocations: string | null
}

/** Processes that answer requests, or wait to, in order. */
export interface LicenseSeatTable {
  /** Worker of the table `leases`; without a lease, its seat is free. */
  worker_id: string
  sequence: Generated<string>
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    deployments: DeploymentTable
    license_state: LicenseStateTable
    license_seats: LicenseSeatTable
  }
}
