import type { GroupDeclaration } from '../shared/group.ts'

export const adminGroup = {
  name: 'admin',
  description: 'Accounts, keys, caller ids and agents.',
  ids: { account: 'acct_', key: 'key_', caller_id: 'cid_', audit: 'aud_' },
  limits: {
    /** Unrevoked keys, per mode. */
    keysPerAccount: 100,
  },
  scopes: ['admin'],
} as const satisfies GroupDeclaration
