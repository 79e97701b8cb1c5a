import type { Operation } from '../errors.ts'
import type { Operations } from '../generated/types.ts'
import type { ClientOptions, RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import type { Route } from '../transport/route.ts'
import { createTransport, type Transport } from '../transport/transport.ts'

/** A namespace of the client is made from options, or from the transport that others share. */
export type Connection = ClientOptions | Transport

export const connect = (connection: Connection): Transport =>
  'send' in connection ? connection : createTransport(connection)

export type Body<Name extends Operation> = Operations[Name]['body']
export type Query<Name extends Operation> = Operations[Name]['query']
export type Data<Name extends Operation> = Operations[Name]['answer']
export type Item<Name extends Operation> = Operations[Name] extends { item: infer Item } ? Item : never

/** A route as its constant, which tells the types of its operation. */
export type RouteOf<Name extends Operation> = Route & { readonly operation: Name }

/** Sends a body, or none, and gives the JSON of the answer. */
export function send<Name extends Operation>(
  transport: Transport,
  route: RouteOf<Name>,
  request: {
    path?: Operations[Name]['path'] & Record<string, string>
    query?: Query<Name> | undefined
    json?: Body<Name>
    options?: RequestOptions | undefined
  },
): Pending<Data<Name>> {
  return transport.send<Data<Name>>({ route, ...request })
}
