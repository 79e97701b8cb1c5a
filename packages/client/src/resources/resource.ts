import type { Operation } from '../errors.ts'
import type { Operations } from '../generated/types.ts'
import type { ClientOptions, RequestOptions } from '../transport/client-options.ts'
import type { list, List } from '../streams/pages.ts'
import type { Pending } from '../transport/pending.ts'
import type { Route } from '../transport/route.ts'
import { createTransport, type Exchange, type Transport } from '../transport/transport.ts'

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

type Ids<Name extends Operation> = keyof Operations[Name]['path'] extends never ? [] : [id: string]

/** The method of a route: takes its id, if it has one, then a body or a query, then options. */
export function method<Name extends Operation>(
  transport: Transport,
  route: RouteOf<Name>,
): (...given: [...Ids<Name>, options?: RequestOptions]) => Pending<Data<Name>>
export function method<Name extends Operation>(
  transport: Transport,
  route: RouteOf<Name>,
  takes: 'json',
): (...given: [...Ids<Name>, json: Body<Name>, options?: RequestOptions]) => Pending<Data<Name>>
export function method<Name extends Operation>(
  transport: Transport,
  route: RouteOf<Name>,
  takes: 'query',
): (...given: [...Ids<Name>, query?: Query<Name>, options?: RequestOptions]) => Pending<Data<Name>>
export function method<Name extends Operation>(
  transport: Transport,
  route: RouteOf<Name>,
  takes: 'query',
  send: typeof list,
): (...given: [...Ids<Name>, query?: Query<Name>, options?: RequestOptions]) => List<Item<Name>>
export function method(
  transport: Transport,
  route: Route,
  takes?: 'json' | 'query',
  send = (transport: Transport, exchange: Exchange<never>): unknown => transport.send(exchange),
): (...given: never[]) => unknown {
  return (...given) =>
    send(transport, {
      route,
      id: route.path.includes('{') ? given.shift() : undefined,
      ...(takes && { [takes]: given.shift() }),
      options: given[0],
    })
}
