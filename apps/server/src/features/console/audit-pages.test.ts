import { contract } from '@vaani/contracts'
import { listRoutes } from '@vaani/contracts/openapi'
import { expect, test } from 'vitest'
import { LOOKS } from './audit-pages.ts'

/** Reading these shows no personal data. A new route belongs here or into `LOOKS`. */
const NO_PERSONAL_DATA = [
  'agents.list',
  'synthesis.languages',
  'lexicons.list',
  'lexicons.retrieve',
  'voices.list',
  'reviews.counts',
  'models.list',
  'models.retrieve',
  'models.usage',
  'models.listFiles',
  'models.retrieveFile',
  'models.listBatches',
  'models.retrieveBatch',
  'batches.list',
  'batches.retrieve',
  'deployments.list',
  'deployments.retrieve',
  'deployments.issuer',
  // Names of colleagues, for owners.
  'members.list',
  'members.retrieve',
  'requests.list',
  'requests.summary',
  'limits.retrieve',
  'webhooks.listEndpoints',
  'webhooks.retrieveEndpoint',
  'webhooks.listDeliveries',
  'admin.listAccounts',
  'admin.listKeys',
  'admin.listAuditLog',
  'admin.listCallerIds',
  'callerIds.list',
  'callerIds.retrieve',
  'system.health',
  'system.ready',
  'system.openapi',
]

test('every route that reads is a look at personal data, or is known to show none', () => {
  const reading = listRoutes(contract)
    .filter(({ method }) => method === 'GET')
    .map(({ metadata }) => metadata.operation)
  expect(reading.toSorted()).toEqual([...LOOKS, ...NO_PERSONAL_DATA].toSorted())
})
