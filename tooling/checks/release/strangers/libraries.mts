/** ts-rest's other packages on the contract. */
import assert from 'node:assert/strict'
import { generateOpenApi } from '@ts-rest/open-api'
import { initTsrReactQuery } from '@ts-rest/react-query/v5'
import { contract } from '@vaani/contracts'

type IsAny<T> = 0 extends 1 & T ? true : false
type Refuse<T extends false> = T

const hooks = initTsrReactQuery(contract, { baseUrl: '', baseHeaders: {} })
export const useCall = (call_id: string) =>
  hooks.calls.retrieve.useQuery({ queryKey: ['calls', call_id], queryData: { params: { call_id } } })
export const usePlaceCall = () => hooks.calls.place.useMutation()
export type Cases = [
  Refuse<IsAny<NonNullable<ReturnType<typeof useCall>['data']>['body']>>,
  Refuse<IsAny<Parameters<ReturnType<typeof usePlaceCall>['mutate']>[0]['body']>>,
]
assert.equal(typeof hooks.calls.retrieve.useQuery, 'function')

const document = generateOpenApi(contract, { info: { title: 'Mine', version: '1.0.0' } })
assert.equal(Object.keys(document.paths).includes('/agent/calls/{call_id}'), true)
