/** Permissions of an API key. A request whose key lacks the route's scope gets 403 `forbidden`. */
export const SCOPES = [
  'calls:write',
  'calls:read',
  'speech:write',
  'voices:write',
  'identity:write',
  'identity:read',
  'identity:review',
  'models:use',
  'batch:write',
  'deploy:write',
  'admin',
] as const
export type Scope = (typeof SCOPES)[number]

/** Service tiers. An account's tier sets its rate limits. */
export const TIERS = ['starter', 'pro', 'enterprise'] as const
export type Tier = (typeof TIERS)[number]
