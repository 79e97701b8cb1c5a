import type { Operation } from '../errors.ts'
import type { Operations } from '../generated/types.ts'
import type { ClientOptions, RequestOptions } from '../transport/client-options.ts'
import type { list, List } from '../streams/pages.ts'
import type { Pending } from '../transport/pending.ts'
import type { Route } from '../transport/route.ts'
import { createTransport, type Exchange, type Transport } from '../transport/transport.ts'

/** A namespace is created from options, or from a transport that it shares with others. */
export type Connection = ClientOptions | Transport

export const connect = (connection: Connection): Transport =>
  'send' in connection ? connection : createTransport(connection)

export type Body<Name extends Operation> = Operations[Name]['body']
export type Query<Name extends Operation> = Operations[Name]['query']
export type Data<Name extends Operation> = Operations[Name]['answer']
export type Item<Name extends Operation> = Operations[Name] extends { item: infer Item } ? Item : never

/** A route constant, whose operation name determines the types. */
export type RouteOf<Name extends Operation> = Route & { readonly operation: Name }

/**
 * Routes by method name, for example `POST /agent/calls call_id,status json`: HTTP method, path, required fields of the response as
 * in `Route`, and the argument that the client's method takes between the id and the options: `json`, `query`, or `pages` for the
 * query of a list.
 */
type Table = Readonly<Record<string, string>>

type Ids<Name extends Operation> = keyof Operations[Name]['path'] extends never ? [] : [id: string]
type Optional<Value> = object extends Value ? [value?: Value] : [value: Value]
type Taken<Name extends Operation, Takes> = Takes extends 'json'
  ? Optional<Body<Name>>
  : Takes extends 'query' | 'pages'
    ? Optional<Query<Name>>
    : []
type Method<Name extends Operation, Takes> = (
  ...given: [...Ids<Name>, ...Taken<Name, Takes>, options?: RequestOptions]
) => Takes extends 'pages' ? List<Item<Name>> : Pending<Data<Name>>

type Methods<Group extends string, Rows> = {
  [Name in keyof Rows]: `${Group}.${Name & string}` extends infer Known extends Operation
    ? Method<Known, Rows[Name] extends `${string} ${string} ${string} ${infer Takes}` ? Takes : ''>
    : never
}

/** Creates a method for each route of a table. @param pages creates lists; an argument so that bundles without lists omit it */
export function methods<Group extends string, Rows extends Table>(
  connection: Connection,
  group: Group,
  table: Rows,
  pages?: typeof list,
): Methods<Group, Rows>
export function methods(
  connection: Connection,
  group: string,
  table: Table,
  pages?: (transport: Transport, exchange: Exchange<never>) => unknown,
): object {
  const transport = connect(connection)
  return Object.fromEntries(
    Object.entries(table).map(([name, row]) => {
      const [method = '', path = '', fields, takes] = row.split(' ')
      // The table's types guarantee that an operation of this name exists.
      const route: Route = { operation: `${group}.${name}` as Operation, method, path, fields }
      return [
        name,
        (...given: never[]): unknown => {
          const exchange = {
            route,
            id: path.includes('{') ? given.shift() : undefined,
            [takes === 'json' ? takes : 'query']: takes && (given.shift() ?? {}),
            options: given[0],
          }
          return takes === 'pages' && pages ? pages(transport, exchange) : transport.send(exchange)
        },
      ]
    }),
  )
}
