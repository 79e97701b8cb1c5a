import { type Id, type Scope, SCOPES } from '@vaani/contracts'
import type { Tenant } from '@vaani/service-kit/tenant'
import { hashApiKey } from '../src/tenancy/api-key.ts'
import { UNLIMITED } from '../test/support/known-fields.ts'
import { OBJECTS } from '../test/support/objects.ts'
import type { WriteObject } from '../test/support/states.ts'
import type { TestServer } from '../test/support/test-server.ts'

export const OWNERS = ['own', 'otherAccount', 'otherMode'] as const
export type Owner = (typeof OWNERS)[number]

/** The kinds of key that a request may use. */
export const KEYS = [
  'good',
  'none',
  'basic',
  'malformed',
  'unknown',
  'revoked',
  'scopeless',
  'otherAccount',
  'otherMode',
] as const
export type KeyChoice = (typeof KEYS)[number]

/** Path parameters that name an object. */
export const PARAMETERS: Readonly<Record<string, Readonly<Record<string, WriteObject>>>> = {
  ...OBJECTS,
  account_id: {
    // An account whose limits may change without affecting the requests.
    patient: async (server) => (await server.createAccount()).accountId,
  },
}
/** Objects that are never created per request, because two made in the same millisecond could collide. */
const NEVER_FRESH: ReadonlySet<string> = new Set(['caller_id_id', 'account_id'])

/** The server of a campaign, with its keys and objects. */
export interface World {
  server: TestServer
  /** Returns the value of `Authorization`; null for none. */
  authorization(choice: KeyChoice, scope: Scope | null): string | null
  /** Returns the id of an object in one of its states. Another request may since have changed the state of a shared object. */
  objectId(parameter: string, owner: Owner, state: number, isFresh: boolean): Promise<string>
}

export async function createWorld(server: TestServer): Promise<World> {
  const rateOverrides = UNLIMITED
  const own = await server.createAccount({ operator: true, rateOverrides })
  const other = await server.createAccount({ rateOverrides })
  const tenants: Record<Owner, Tenant> = {
    own: { accountId: own.accountId, livemode: false },
    otherAccount: { accountId: other.accountId, livemode: false },
    otherMode: { accountId: own.accountId, livemode: true },
  }
  const scopeless = new Map<Scope | null, string>()
  for (const scope of SCOPES)
    scopeless.set(
      scope,
      await server.createKey(
        own.accountId,
        false,
        SCOPES.filter((one) => one !== scope),
      ),
    )
  const revoked = await revokedKey(server, own.accountId)
  const live = await server.createKey(own.accountId, true)

  const pool = new Map<string, Promise<string>>()
  return {
    server,
    authorization(choice, scope) {
      switch (choice) {
        case 'good':
          return `Bearer ${own.key}`
        case 'none':
          return null
        case 'basic':
          return `Basic ${Buffer.from(own.key).toString('base64')}`
        case 'malformed':
          return `Bearer ${own.key} ${own.key}`
        case 'unknown':
          return `Bearer sk_test_${'0'.repeat(38)}`
        case 'revoked':
          return `Bearer ${revoked}`
        case 'scopeless':
          return `Bearer ${scopeless.get(scope) ?? own.key}`
        case 'otherAccount':
          return `Bearer ${other.key}`
        case 'otherMode':
          return `Bearer ${live}`
      }
    },
    objectId(parameter, owner, state, isFresh) {
      const states = Object.values(PARAMETERS[parameter] ?? {})
      const index = state % states.length
      const write = states[index]
      if (write === undefined) throw new Error(`Cannot write a ${parameter}`)
      if (isFresh && !NEVER_FRESH.has(parameter)) return write(server, tenants[owner])
      const id = `${parameter} ${owner} ${index}`
      const known = pool.get(id) ?? write(server, tenants[owner])
      pool.set(id, known)
      return known
    },
  }
}

async function revokedKey(server: TestServer, accountId: Id<'account'>): Promise<string> {
  const key = await server.createKey(accountId, false)
  await server.context.database
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('hash', '=', hashApiKey(key))
    .execute()
  return key
}
