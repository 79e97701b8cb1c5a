/** What a key may do. A key that lacks a route's scope is answered 403 `forbidden`. */
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

/** Service tiers of an account; they decide its rate limits. */
export const TIERS = ['starter', 'pro', 'enterprise'] as const
export type Tier = (typeof TIERS)[number]
