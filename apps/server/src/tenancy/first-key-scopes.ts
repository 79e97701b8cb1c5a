import { SCOPES } from '@vaani/contracts'

/** Permissions of keys that the server makes itself: all but to vouch for reviewers, which somebody must decide. */
export const FIRST_KEY_SCOPES = SCOPES.filter((scope) => scope !== 'identity:vouch')
