/** Types that a third-party compiler must infer from the contract through ts-rest. */
import { initClient, initContract } from '@ts-rest/core'
import { initServer } from '@ts-rest/fastify'
import { type Call, contract } from '@vaani/contracts'

type IsAny<T> = 0 extends 1 & T ? true : false
type Refuse<T extends false> = T
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Expect<T extends true> = T

const client = initClient(contract, { baseUrl: '', baseHeaders: {} })
type Place = typeof client.calls.place
type Placed = Awaited<ReturnType<Place>>
type Removed = Awaited<ReturnType<typeof client.calls.removeRecording>>

const server = initServer()
type Handlers = Parameters<typeof server.router<typeof contract.calls>>[1]
type Handled = Extract<Handlers['place'], (...input: never[]) => unknown>
type Input = Parameters<Handled>[0]

export type Cases = [
  Refuse<IsAny<Place>>,
  Refuse<IsAny<Placed>>,
  Expect<Equal<Extract<Placed, { status: 201 }>['body'], Call>>,
  Expect<Equal<Extract<Removed, { status: 204 }>['body'], undefined>>,
  Expect<Equal<Extract<Removed, { status: 418 }>, never>>,
  Refuse<IsAny<Handlers>>,
  Refuse<IsAny<Input>>,
  Refuse<IsAny<Input['body']>>,
  Expect<Equal<Input['body']['language'], string>>,
  Expect<Equal<Input['headers']['idempotency-key'], string | undefined>>,
]

/** A contract that is built on ours. */
export const extended = initContract().router({
  calls: contract.calls,
  notes: { method: 'GET', path: '/notes', responses: { 200: contract.calls.retrieve.responses[200] } },
})

// @ts-expect-error The agent is missing.
void client.calls.place({ body: { to: '+9779812345678' } })
// @ts-expect-error Not a status of the route.
export const wrong: Handlers['place'] = async () => ({ status: 418, body: null })
