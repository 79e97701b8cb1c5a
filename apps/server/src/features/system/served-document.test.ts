import { contract } from '@vaani/contracts'
import { createOpenApiDocument, listRoutes, WEBHOOKS } from '@vaani/contracts/openapi'
import { expect, test } from 'vitest'
import { servedDocument } from './served-document.ts'

const operationsOf = (router: Parameters<typeof listRoutes>[0]): ReadonlySet<string> =>
  new Set(listRoutes(router).map(({ metadata }) => metadata.operation))

test.each([
  ['calls', { calls: contract.calls }],
  ['identity and webhooks', { identity: contract.identity, webhooks: contract.webhooks }],
])('the part of the document with %s equals the one generated from the contract', (_, router) => {
  const made = createOpenApiDocument(router, { title: 'Vaani', version: '1.0.0', webhooks: WEBHOOKS })
  expect(servedDocument(operationsOf(router))).toEqual(made)
})
