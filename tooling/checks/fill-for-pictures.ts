/** What the pictures of the console show. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { EXAMPLE_REPORT } from '@vaani/migration-charts/example-report'
import type { RunningVaani } from '@vaani/testing'

const root = path.resolve(import.meta.dirname, '../..')
const specimen = (name: string): string => path.join(root, 'packages/identity-checks/specimens', name)

type Client = RunningVaani['client']

/** The ids of the example are shorter than real ones, which the server insists on. */
const withWholeIds = (answer: unknown): string =>
  JSON.stringify(answer).replace(
    /"(chg|pair|ver)_(0[^"]*)"/g,
    (_, kind: string, id: string) => `"${kind}_${id.padStart(26, '0')}"`,
  )

/** Stands in for the worker of a migration that has run for days. */
export async function startMigration(): Promise<AsyncDisposable & { environment: Record<string, string> }> {
  const [report, pairs] = [
    EXAMPLE_REPORT,
    { data: EXAMPLE_REPORT.open_mismatches, has_more: false, next_cursor: null },
  ].map(withWholeIds)
  const server = createServer(
    ({ url }, response) => void response.end(url?.startsWith('/migration/pairs') === true ? pairs : report),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The worker has no address')
  return {
    environment: {
      VAANI_MIGRATION_URL: `http://127.0.0.1:${address.port}`,
      VAANI_MIGRATION_API_KEY: 'sk_test_of_no_worker_0123456789',
    },
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

async function placeCalls(client: Client): Promise<string> {
  const calls = await Promise.all(
    ['+9779812345678', '+9779823456789', '+9779834567890'].map((to) =>
      client.calls.place({ to, agent_id: 'reminder', language: 'en-US', metadata: { name: 'Sita' } }),
    ),
  )
  const ended = await Promise.all(calls.map(({ call_id }) => client.calls.waitUntilFinished(call_id)))
  return ended[0]?.call_id ?? ''
}

/** Leaves verifications to decide, and returns the first of them, and one that was declined by a person. */
async function submit(client: Client): Promise<{ waiting: string; declined: string }> {
  const send = async (front: string, externalId: string): Promise<string> => {
    const { verification_id } = await client.identity.submit({
      front_image: specimen(front),
      liveness_video: specimen('liveness.mp4'),
      external_id: externalId,
    })
    while ((await client.identity.retrieve(verification_id)).decision === 'pending') await setTimeout(2500)
    return verification_id
  }
  const declined = await send('passport.jpg', 'customer-14')
  await client.reviews.claim(declined, {})
  await client.reviews.addNote(declined, { note: 'The person was called back.' })
  await client.identity.review(declined, { decision: 'declined', reasons: ['face_mismatch'] })
  const waiting = await send('passport-blurred.jpg', 'customer-27')
  for (const simulated of ['test_review_glare', 'test_review_liveness', 'test_review_glare:customer-31'])
    await send('passport.jpg', simulated)
  return { declined, waiting }
}

async function inviteMembers(client: Client): Promise<void> {
  await client.members.invite({ name: 'Asha Gurung', role: 'owner' })
  await client.members.invite({ name: 'Bina Tamang', role: 'reviewer' })
  await client.members.invite({ name: 'Chandra Rai', role: 'viewer' })
  await client.admin.createKey({ name: 'Back office', scopes: ['identity:read'] })
}

/** Lists numbers that are never called, one of them by a person's wish. */
async function listNumbers(client: Client): Promise<void> {
  await client.doNotCall.importCsv({
    csv: '+9779812345601\n+9779812345602\n+9779812345603',
    reason: 'National register',
  })
  await client.doNotCall.add({ phone_number: '+9779812345604', reason: 'Asked on the phone' })
}

/** Asks for what is refused. */
async function beRefused(client: Client): Promise<void> {
  const agent_id = 'reminder'
  await Promise.allSettled([
    client.calls.place({ to: '12', agent_id }),
    client.calls.place({ to: '+9779812345678', agent_id, language: 'xx-XX' }),
    client.calls.retrieve('call_01kamx3v6pf9hr2x8c0q5d7e1a'),
    client.identity.retrieve('ver_01kamx3v6pf9hr2x8c0q5d7e1a'),
  ])
}

/** Says two terms as the account wants them, and speaks two texts as a batch. */
async function prepareSpeech(client: Client): Promise<void> {
  await client.lexicons.replace('en', {
    entries: [
      { term: 'KYC', spoken_as: 'know your customer' },
      { term: 'Vaani', spoken_as: 'vah nee' },
    ],
  })
  const { batch_id } = await client.batches.create({
    endpoint: '/v1/engine/synthesize',
    requests: ['Sita', 'Hari'].map((name) => ({
      custom_id: name,
      body: { model: 'synth-v1', text: `Namaste, ${name}.`, voice: 'nova', language: 'en-US' },
    })),
  })
  await client.batches.waitUntilFinished(batch_id)
}

/** Calls, a webhook that was given up, verifications, people and refused requests. Returns the paths to show. */
export async function fill(
  { client }: RunningVaani,
  receiverUrl: string,
): Promise<Readonly<Record<string, string>>> {
  await client.webhooks.createEndpoint({ url: receiverUrl, events: ['call.completed'] })
  // Speech starts with the first text; a call would record the wait.
  for await (const frame of client.speech.stream({ input: 'Namaste.', language: 'en-US' })) void frame
  const call = await placeCalls(client)
  const { waiting, declined } = await submit(client)
  await inviteMembers(client)
  await prepareSpeech(client)
  await listNumbers(client)
  await beRefused(client)
  return {
    home: '',
    calls: '/calls',
    call: `/calls/${call}`,
    webhooks: '/webhooks',
    reviews: '/reviews',
    review: `/reviews/${waiting}`,
    verifications: '/verifications',
    verification: `/verifications/${declined}`,
    batches: '/batches',
    requests: '/requests',
    voices: '/voices',
    lexicons: '/lexicons',
    models: '/models',
    agents: '/agents',
    agent: '/agents/reminder',
    'caller-ids': '/caller-ids',
    'do-not-call': '/do-not-call',
    limits: '/limits',
    keys: '/keys',
    deployments: '/deployments',
    members: '/members',
    audit: '/audit',
    migration: '/migration',
    playground: '/playground',
    'playground-live': '/playground?try=live',
  }
}
