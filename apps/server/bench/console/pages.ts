import { startReceiver } from '@vaani/test-harness'
import { LARGEST_ACCOUNT } from '../../test/support/fill-database.ts'
import { recordSpeaker } from '../../test/support/recordings.ts'
import type { Account, FilledServer } from './start-filled.ts'

/** A page of the console, and the key for which it is opened. */
export interface PageToOpen {
  path: string
  key: string
}

const LISTS =
  'calls verifications requests batches voices lexicons models agents caller-ids do-not-call keys members audit webhooks deployments'
const WITH_FORM = 'calls webhooks/endpoints lexicons agents do-not-call keys members deployments'
/** Those that need no object. */
const PAGES = [
  '',
  ...LISTS.split(' '),
  'limits',
  'playground',
  ...WITH_FORM.split(' ').map((list) => `${list}/new`),
]

/**
 * Makes an object of each kind that has a page, and returns the pages. Those of the migration of KYC need its worker.
 *
 * @param review id of a case of the small account
 * @param call id of a call of the large account
 */
export async function makePages(
  { large, small }: FilledServer,
  { review, call }: { review: string; call: string },
): Promise<PageToOpen[]> {
  const { caller_id_id } = await small.client.admin.addCallerId({
    account_id: LARGEST_ACCOUNT,
    phone_number: '+9779812345678',
  })
  const objects = { calls: call, 'caller-ids': caller_id_id, ...(await makeObjects(large)) }
  const ofLarge = [...PAGES, ...Object.entries(objects).map(([list, id]) => `${list}/${id}`)]
  return [
    ...ofLarge.map((path) => ({ path: path && `/${path}`, key: large.key })),
    // The filled rows have no pictures to look at.
    ...['/reviews', `/reviews/${review}`, `/verifications/${review}`].map((path) => ({
      path,
      key: small.key,
    })),
  ]
}

/** Returns the ids of the objects by the paths of their lists. */
async function makeObjects({ client }: Account): Promise<Record<string, string>> {
  await client.lexicons.replace('en', { entries: [{ term: 'KYC', spoken_as: 'know your customer' }] })
  await using receiver = await startReceiver()
  const { endpoint_id } = await client.webhooks.createEndpoint({ url: receiver.url, events: ['call.queued'] })
  const { delivery_id } = await client.webhooks.sendTestEvent(endpoint_id, { type: 'call.queued' })
  const { batch_id } = await client.batches.create({
    endpoint: '/v1/engine/synthesize',
    requests: [
      {
        custom_id: 'one',
        body: { model: 'synth-v1', text: 'Good morning.', voice: 'nova', language: 'en-US' },
      },
    ],
  })
  const { voice_id } = await client.voices.clone({
    name: 'Sita',
    language: 'en-US',
    consent: true,
    samples: [await recordSpeaker('woman')],
  })
  const { member_id } = await client.members.invite({ name: 'Asha Gurung', role: 'viewer' })
  const { key_id } = await client.admin.createKey({ name: 'Bench', scopes: ['calls:read'] })
  const { deployment_id } = await client.deployments.create({
    name: 'speech',
    base_model: 'synth-v1',
    target: 'docker',
  })
  const { data: models } = await client.models.list()
  return {
    'webhooks/endpoints': endpoint_id,
    'webhooks/deliveries': delivery_id,
    batches: batch_id,
    voices: voice_id,
    members: member_id,
    keys: key_id,
    deployments: deployment_id,
    lexicons: 'en',
    agents: 'reminder',
    models: models[0]?.id ?? '',
  }
}
