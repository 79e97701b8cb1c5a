/**
 * An account in one of its modes. Whatever is stored belongs to one tenant, and no other reads or changes it: a test
 * key sees nothing of live keys, and the other way round.
 */
export interface Tenant {
  accountId: string
  livemode: boolean
}
