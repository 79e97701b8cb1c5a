/**
 * Type tests of the contract, checked by `tsc` alone. In each case, ts-rest, the declarations of its release candidate or a
 * widened router would otherwise lose a type without an error.
 */
import type {
  ClientInferRequest,
  ClientInferResponses,
  ServerInferRequest,
  ServerInferResponses,
} from '@ts-rest/core'
import type { Call } from './calls/resources.ts'
import type { Contract } from './contract.ts'
import type { ErrorBody } from './shared/errors.ts'
import type { Id } from './shared/ids.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type IsAny<T> = 0 extends 1 & T ? true : false
type Expect<T extends true> = T
type Refuse<T extends false> = T

type Place = Contract['calls']['place']
type PlaceOnServer = ServerInferRequest<Place>
type PlaceOnClient = ClientInferRequest<Place>
type PlaceResponses = ClientInferResponses<Place>
type Retrieve = Contract['calls']['retrieve']

export type Cases = [
  // A widened router would give `string` here.
  Expect<Equal<Place['path'], '/agent/calls'>>,
  Expect<Equal<Place['method'], 'POST'>>,
  Expect<Equal<Retrieve['path'], '/agent/calls/:call_id'>>,
  Expect<Equal<ServerInferRequest<Retrieve>['params']['call_id'], Id<'call'>>>,
  // Bodies: defaults are applied on the server, optional on the client.
  Refuse<IsAny<PlaceOnServer['body']>>,
  Expect<Equal<PlaceOnServer['body']['language'], string>>,
  Expect<Equal<PlaceOnClient['body']['language'], string | undefined>>,
  // Headers: lost if zod 4 replaces the zod 3 of the library's declarations.
  Refuse<IsAny<PlaceOnClient['headers']>>,
  Expect<Equal<PlaceOnServer['headers']['idempotency-key'], string | undefined>>,
  Expect<
    Equal<
      ServerInferRequest<Contract['identity']['retrieve']>['headers']['x-service-signature'],
      string | undefined
    >
  >,
  // Query: coerced on the server.
  Expect<Equal<ServerInferRequest<Contract['calls']['list']>['query']['limit'], number>>,
  // Statuses and codes are closed.
  Expect<Equal<Extract<PlaceResponses, { status: 201 }>['body'], Call>>,
  Expect<
    Equal<
      Extract<PlaceResponses, { status: 422 }>['body'],
      ErrorBody<
        'invalid_phone' | 'do_not_call' | 'number_barred' | 'outside_calling_hours' | 'call_cap_reached'
      >
    >
  >,
  Expect<Equal<Extract<PlaceResponses, { status: 418 }>, never>>,
  Expect<
    Equal<
      ServerInferResponses<Place>['status'],
      201 | 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 500 | 503
    >
  >,
  Expect<
    Equal<Extract<ClientInferResponses<Retrieve>, { status: 404 }>['body'], ErrorBody<'call_not_found'>>
  >,
  Expect<Equal<Call['status'], 'queued' | 'in-progress' | 'completed' | 'failed'>>,
]

export const header: PlaceOnClient['headers'] = { 'idempotency-key': 'a' }
// @ts-expect-error A header of another type is refused.
export const wrongHeader: PlaceOnClient['headers'] = { 'idempotency-key': 5 }
