import type { LicenseState } from './rules/license.ts'

/** License under which this server runs. */
export interface ServerLicense {
  state(): LicenseState
  /** Whether this process may answer requests. */
  hasSeat(): boolean
  /** Checks the seat, and reads the revocation list if there is an address of one. Also happens periodically. */
  refresh(): Promise<void>
}

/** What the deployments feature offers to the server. */
export interface DeploymentsPort {
  /** Null unless the server runs under a license. */
  license: ServerLicense | null
}
