import { listScopes } from '../groups.ts'

/** Permissions of an API key. A request whose key lacks the route's scope gets 403 `forbidden`. */
export const SCOPES = listScopes()
export type Scope = (typeof SCOPES)[number]
