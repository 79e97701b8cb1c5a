import { ID_PREFIXES } from '@vaani/contracts'
import type { DocumentedRoute } from '@vaani/contracts/openapi'
import { z } from 'zod'
import { exampleBody } from './example-body.ts'
import { servedRoutes } from './served-routes.ts'
import { STATES, type WriteObject } from './states.ts'

/** Finds the route that creates objects of a kind from its example alone, and returns their id under the given name. */
const findCreator = (name: string): DocumentedRoute | undefined =>
  servedRoutes.find(
    (route) =>
      route.method === 'POST' &&
      !route.path.includes(':') &&
      exampleBody(route) !== undefined &&
      Object.values(route.responses).some((schema) => schema instanceof z.ZodObject && name in schema.shape),
  )

const writeBy =
  (creator: DocumentedRoute, name: string): WriteObject =>
  async (server, { accountId, livemode }) => {
    const key = await server.createKey(accountId, livemode)
    const body = exampleBody(creator)
    // Of an address without failed authentications, if the server trusts proxies.
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    const created = await server.json<Record<string, string>>(creator.path, { key, body, headers })
    const id = created.body[name]
    if (id === undefined) throw new Error(`${creator.metadata.operation}: ${created.status}, no ${name}`)
    return id
  }

export const parametersOf = ({ path }: DocumentedRoute): string[] =>
  [...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => name)

/** An account is no object of an account. */
const isObject = (name: string): boolean => name !== 'account_id' && name.replace(/_id$/, '') in ID_PREFIXES

/**
 * The states of every kind of object that a test can write, keyed by the path parameter that names the kind. Kinds that are not in
 * `STATES` have one state, in which the route that creates them leaves them.
 */
export const OBJECTS: Readonly<Record<string, Readonly<Record<string, WriteObject>>>> = {
  ...Object.fromEntries(
    [...new Set(servedRoutes.flatMap(parametersOf))].filter(isObject).flatMap((name) => {
      const creator = findCreator(name)
      return creator === undefined ? [] : [[name, { created: writeBy(creator, name) }]]
    }),
  ),
  ...STATES,
}
