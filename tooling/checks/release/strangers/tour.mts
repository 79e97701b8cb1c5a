/**
 * Calls every route of a running server with a ts-rest client made from the contract alone, like a third party. Fails if a
 * response is not the documented success, or if the client lacks a route of the server's own document.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type ApiFetcher, type ApiFetcherArgs, initClient, tsRestFetchApi } from '@ts-rest/core'
import { contract } from '@vaani/contracts'
import { askOthers } from './ask-others.mts'

const LATER = '2027-06-01T09:30:00Z'
const POLL_MS = 500
const POLLS = 90
/** Eight seconds, read by a voice of the server. */
const READ =
  'When the sunlight strikes raindrops in the air, they act as a prism and form a rainbow. The rainbow is a division of white light into many beautiful colors.'

function setting(name: string): string {
  const value = process.env[name]
  assert(value, `${name} is missing`)
  return value
}

/** Bytes of these are text, which ts-rest's own transport parses. */
const TEXT_ROUTES: readonly unknown[] = [
  contract.batches.results,
  contract.doNotCall.exportCsv,
  contract.doNotCall.exportCsvForAll,
]

/** Reads NDJSON or CSV as a `Blob`. */
async function fetchText({ path, method, headers }: ApiFetcherArgs): ReturnType<ApiFetcher> {
  const response = await fetch(path, { method, headers })
  const body: unknown = response.ok ? await response.blob() : await response.json()
  return { status: response.status, body, headers: response.headers }
}

const asked = new Set<string>()
const connect = (key: string) =>
  initClient(contract, {
    baseUrl: setting('BASE_URL'),
    baseHeaders: { authorization: `Bearer ${key}` },
    validateResponse: true,
    throwOnUnknownStatus: true,
    async api(request) {
      const isText = TEXT_ROUTES.includes(request.route)
      const answer = await (isText ? fetchText(request) : tsRestFetchApi(request))
      asked.add(`${request.method} ${request.route.path.replaceAll(/:(\w+)/g, '{$1}')}`)
      return answer
    },
  })
const client = connect(setting('API_KEY'))

/** Returns the body of a response that must have this status. */
function bodyOf<Answer extends { status: number; body: unknown }, Status extends Answer['status']>(
  answer: Answer,
  status: Status,
): Extract<Answer, { status: Status }>['body'] {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return answer.body
}

async function poll<Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  for (let reads = 0; reads < POLLS; reads += 1) {
    const value = await read()
    if (isDone(value)) return value
    await delay(POLL_MS)
  }
  throw new Error('It never came to an end')
}

async function placeCalls(): Promise<void> {
  const { calls, agents } = client
  const [agent] = bodyOf(await agents.list(), 200).data
  const body = { to: '+9779812345678', agent_id: agent?.agent_id ?? '' }
  const placed = bodyOf(await calls.place({ body, headers: { 'idempotency-key': randomUUID() } }), 201)
  const params = { call_id: placed.call_id }
  const isOver = ({ status }: { status: string }) => status === 'completed'
  await poll(async () => bodyOf(await calls.retrieve({ params }), 200), isOver)
  const recording = bodyOf(await calls.recording({ params }), 200)
  assert(recording instanceof Blob)
  assert.equal(await recording.slice(0, 4).text(), 'RIFF')
  assert.equal(bodyOf(await calls.transcript({ params }), 200).turns[0]?.speaker, 'agent')
  bodyOf(await calls.removeRecording({ params }), 204)
  const page = bodyOf(await calls.list({ query: { limit: 1 } }), 200)
  assert.equal(page.data[0]?.call_id, placed.call_id)
  const later = bodyOf(await calls.place({ body: { ...body, scheduled_at: LATER } }), 201)
  bodyOf(await calls.cancel({ params: { call_id: later.call_id } }), 200)
}

async function hearSpeech(): Promise<void> {
  const [language] = bodyOf(await client.synthesis.languages(), 200).data
  const speech = await client.speech.stream({
    body: { model: 'stream-tts', input: 'Good morning.', language: language?.language },
  })
  const phrase = await client.synthesis.stream({ body: { model: 'synth-l1', input: 'Good morning.' } })
  for (const audio of [bodyOf(speech, 200), bodyOf(phrase, 200)]) {
    assert(audio instanceof Blob)
    assert.equal(audio.size % 640, 0)
  }
  const hosted = await client.models.speech({
    body: { model: 'tts-1', voice: 'alloy', input: 'Good morning.', response_format: 'wav' },
  })
  const file = await client.synthesis.synthesize({
    body: { model: 'synth-v1', text: READ, voice: 'alt2', pitch_shift: 0.5 },
  })
  for (const wav of [bodyOf(hosted, 200), bodyOf(file, 200)]) {
    assert(wav instanceof Blob)
    assert.equal(await wav.slice(0, 4).text(), 'RIFF')
  }
  const recording = bodyOf(file, 200)
  assert(recording instanceof Blob)
  const form = new FormData()
  form.set('audio', recording, 'found.wav')
  assert(bodyOf(await client.watermark.detect({ body: form }), 200).detected)
  await cloneVoices(recording)
}

async function cloneVoices(recording: Blob): Promise<void> {
  const { voices, synthesis } = client
  const form = new FormData()
  form.set('name', 'Guide')
  form.set('consent', 'true')
  form.set('samples', recording, 'speaker.wav')
  const made = [
    bodyOf(await voices.clone({ body: form }), 201),
    bodyOf(await synthesis.clone({ body: form }), 201),
  ]
  assert.equal(bodyOf(await voices.list({ query: {} }), 200).data.length, made.length)
  for (const { voice_id } of made) bodyOf(await voices.remove({ params: { voice_id } }), 204)
}

async function chat(): Promise<void> {
  const { models } = client
  const model = bodyOf(await models.list(), 200).data[0]?.id ?? ''
  bodyOf(await models.retrieve({ params: { model } }), 200)
  bodyOf(await models.usage({ query: {} }), 200)
  const messages = [{ role: 'user' as const, content: 'Good morning.' }]
  bodyOf(await models.chat({ body: { model: 'vaani-echo', messages } }), 200)
  bodyOf(await models.respond({ body: { model: 'vaani-echo', input: 'Good morning.' } }), 200)
  // Without upstreams, none has them.
  bodyOf(await models.embed({ body: { model, input: 'Good morning.' } }), 404)
  bodyOf(await models.complete({ body: { model, prompt: 'Good' } }), 404)
  bodyOf(await models.moderate({ body: { model, input: 'Good morning.' } }), 404)
  bodyOf(await models.draw({ body: { model, prompt: 'A parcel.' } }), 404)
  const form = new FormData()
  form.set('model', model)
  form.set('file', new Blob(['RIFF']), 'call.wav')
  bodyOf(await models.transcribe({ body: form }), 404)
  bodyOf(await models.translate({ body: form }), 404)
  form.set('purpose', 'batch')
  bodyOf(await models.createFile({ body: form }), 404)
  bodyOf(await models.listFiles({ query: {} }), 404)
  const params = { file_id: 'file-1', stored_batch_id: 'batch-1' }
  bodyOf(await models.retrieveFile({ params }), 404)
  bodyOf(await models.readFile({ params }), 404)
  bodyOf(await models.removeFile({ params }), 404)
  const made = { input_file_id: 'file-1', endpoint: '/v1/embeddings', completion_window: '24h' }
  bodyOf(await models.createBatch({ body: made }), 404)
  bodyOf(await models.listBatches({ query: {} }), 404)
  bodyOf(await models.retrieveBatch({ params }), 404)
  bodyOf(await models.cancelBatch({ params }), 404)
}

async function makeBatches(): Promise<void> {
  const { batches } = client
  const body = { model: 'synth-l2', text: 'Good morning.' }
  const requests = [{ custom_id: 'one', body }]
  const made = bodyOf(await batches.create({ body: { endpoint: '/v1/engine/synthesize', requests } }), 202)
  const params = { batch_id: made.batch_id }
  const ended = await poll(
    async () => bodyOf(await batches.retrieve({ params }), 200),
    ({ status }) => status !== 'queued' && status !== 'running',
  )
  assert.equal(ended.status, 'completed')
  const results = await batches.results({ params })
  if (!(bodyOf(results, 200) instanceof Blob)) throw new Error('The results are no blob')
  assert.equal(bodyOf(await batches.list({ query: {} }), 200).data[0]?.batch_id, made.batch_id)
  assert.equal((await batches.cancel({ params })).status, 409)
}

async function verifyPersons(): Promise<void> {
  const { identity } = client
  const [image, video] = await Promise.all([
    openAsBlob(setting('IMAGE_FILE'), { type: 'image/jpeg' }),
    openAsBlob(setting('VIDEO_FILE'), { type: 'video/mp4' }),
  ])
  const form = new FormData()
  form.set('front_image', image, 'front.jpg')
  form.set('back_image', image, 'back.jpg')
  form.set('liveness_video', video, 'video.mp4')
  form.set('external_id', 'test_approved')
  const first = bodyOf(await identity.submitV1({ body: form }), 200)
  const encode = async (blob: Blob) => Buffer.from(await blob.arrayBuffer()).toString('base64')
  const submission = {
    front_image_b64: await encode(image),
    liveness_video_b64: await encode(video),
    external_id: 'test_review_glare',
  }
  const page = bodyOf(
    await client.models.ocr({ body: { image_b64: submission.front_image_b64, language: 'en' } }),
    200,
  )
  if (!('pages' in page)) throw new Error('The answer is no JSON')
  assert.match(page.text, /ERIKSSON/)
  const handle = bodyOf(
    await client.models.ocr({
      headers: { prefer: 'respond-async' },
      body: { image_b64: submission.front_image_b64, language: 'en' },
    }),
    202,
  )
  const { document_id } = handle
  const document = await poll(
    async () => bodyOf(await client.models.ocrDocument({ params: { document_id }, query: {} }), 200),
    ({ status }) => status === 'completed' || status === 'failed',
  )
  assert.equal(document.pages[0]?.number, 1)
  const second = bodyOf(await identity.submitV2({ body: submission }), 200)
  const decided = (verification_id: string) =>
    poll(
      async () => bodyOf(await identity.retrieve({ params: { verification_id } }), 200),
      ({ decision }) => decision !== 'pending',
    )
  assert.equal((await decided(first.verification_id)).decision, 'approved')
  await decided(second.verification_id)
  const params = { verification_id: second.verification_id }
  bodyOf(await identity.reconsider({ params, body: { policy: 'default' } }), 200)
  await reviewPersons(params.verification_id)
  bodyOf(await identity.review({ params, body: { decision: 'declined', note: 'Glare.' } }), 200)
  bodyOf(await identity.removeMedia({ params }), 204)
  bodyOf(await identity.list({ query: { limit: 5 } }), 200)
  const history = bodyOf(await identity.subject({ params: { external_id: 'test_approved' }, query: {} }), 200)
  assert.equal(history.data[0]?.verification_id, first.verification_id)
  bodyOf(await identity.eraseSubject({ params: { external_id: 'test_approved' } }), 204)
}

async function reviewPersons(verification_id: string): Promise<void> {
  const { reviews } = client
  const params = { verification_id }
  const body = { reviewer: 'staff-7' }
  bodyOf(await reviews.list({ query: {} }), 200)
  assert.equal(bodyOf(await reviews.counts(), 200).reviews > 0, true)
  assert.equal(
    bodyOf(await reviews.claimNext({ body }), 200).review?.verification.verification_id,
    verification_id,
  )
  bodyOf(await reviews.release({ params, body }), 200)
  bodyOf(await reviews.claim({ params, body: {} }), 200)
  bodyOf(await reviews.ask({ params, body: { artifact: 'front_image', problem: 'glare' } }), 200)
  bodyOf(await reviews.addNote({ params, body: { note: 'Seen.' } }), 201)
  const media = await reviews.media({ params, query: { artifact: 'front_image' } })
  assert.equal(bodyOf(await reviews.frames({ params, query: {} }), 200).frames.length > 0, true)
  if (!(bodyOf(media, 200) instanceof Blob)) throw new Error('The picture is no blob')
  assert.equal(bodyOf(await reviews.retrieve({ params }), 200).checks.length > 0, true)
  assert.equal(bodyOf(await reviews.history({ params, query: {} }), 200).data[0]?.type, 'look')
}

async function receiveWebhooks(): Promise<void> {
  const { webhooks } = client
  const since = new Date().toISOString()
  const created = await webhooks.createEndpoint({
    body: { url: setting('RECEIVER_URL'), events: ['call.completed'] },
  })
  const params = { endpoint_id: bodyOf(created, 201).endpoint_id }
  bodyOf(await webhooks.listEndpoints({ query: {} }), 200)
  bodyOf(await webhooks.retrieveEndpoint({ params }), 200)
  bodyOf(await webhooks.updateEndpoint({ params, body: { events: ['call.failed'] } }), 200)
  bodyOf(await webhooks.rotateSecret({ params, body: { overlap_hours: 1 } }), 200)
  bodyOf(await webhooks.rotateAccountSecret({ body: {} }), 200)
  const sent = bodyOf(await webhooks.sendTestEvent({ params, body: { type: 'call.failed' } }), 202)
  const delivery = { params: { delivery_id: sent.delivery_id } }
  await poll(
    async () => bodyOf(await webhooks.retrieveDelivery(delivery), 200),
    ({ status }) => status === 'delivered',
  )
  const query = { ...params, event_type: 'call.failed', created_after: since } as const
  assert.equal(bodyOf(await webhooks.listDeliveries({ query }), 200).data.length, 1)
  bodyOf(await webhooks.resend(delivery), 202)
  bodyOf(await webhooks.recover({ body: { since } }), 202)
  bodyOf(await webhooks.deleteEndpoint({ params }), 204)
}

/** Removes from each list what it has put there; their ids have the same name. */
async function keepDoNotCall(): Promise<void> {
  const { doNotCall } = client
  const body = { phone_number: '+9779800000002' }
  const own = bodyOf(await doNotCall.add({ body }), 201)
  bodyOf(await doNotCall.remove({ params: { listed_number_id: own.listed_number_id } }), 204)
  const ofAll = bodyOf(await doNotCall.addForAll({ body }), 201)
  bodyOf(await doNotCall.removeForAll({ params: { listed_number_id: ofAll.listed_number_id } }), 204)
}

/** Verifies a caller id in test mode, whose response has the code. */
async function verifyCallerId(): Promise<void> {
  const { callerIds } = client
  const started = bodyOf(await callerIds.start({ body: { phone_number: '+9779800000004' } }), 201)
  const params = { caller_id_id: started.caller_id_id }
  bodyOf(await callerIds.verify({ params, body: { code: started.test_code ?? '' } }), 200)
  bodyOf(await callerIds.remove({ params }), 204)
}

/** Some routes are not included in the tier of a new account. */
async function upgrade(): Promise<void> {
  const { admin } = client
  const [own] = bodyOf(await admin.listAccounts({ query: {} }), 200).data
  const params = { account_id: own?.account_id ?? '' }
  bodyOf(await admin.updateAccount({ params, body: { tier: 'enterprise' } }), 200)
}

/** Calls the client's function of every operation that the tour has not been to. */
async function askTheRest(document: { paths: object }): Promise<void> {
  await askOthers(document, asked, async (operationId, { path, body }) => {
    const [group = '', name = ''] = operationId.split('.')
    const call: unknown = Reflect.get(Object(Reflect.get(client, group)), name)
    assert(typeof call === 'function', `${operationId} is no function of the client`)
    const answer = await call({ params: path, query: {}, body })
    assert(answer.status < 300, `${operationId}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  })
}

const document = Object(bodyOf(await client.system.openapi(), 200))
await upgrade()
await placeCalls()
await keepDoNotCall()
await verifyCallerId()
await hearSpeech()
await chat()
await receiveWebhooks()
await verifyPersons()
await makeBatches()
await askTheRest(document)
console.log(`${asked.size} routes`)
