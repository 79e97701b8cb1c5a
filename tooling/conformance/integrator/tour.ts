/**
 * Calls every implemented route at least once, with a client that `@hey-api/openapi-ts` generated from our OpenAPI document,
 * like an integrator who has nothing else of ours. Prints each response as one line of JSON, and ends at the first one that is
 * not a success.
 */
import { openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { askOthers } from './ask-others.mts'
import { client } from './client/client.gen.ts'
import * as api from './client/index.ts'

const LATER = '2027-06-01T09:30:00Z'
const POLL_MS = 500
const POLLS = 90

function setting(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is missing`)
  return value
}

client.setConfig({ baseUrl: setting('BASE_URL'), auth: setting('API_KEY'), throwOnError: true })
const asked = new Set<string>()
client.interceptors.response.use(async (response, request, { url }) => {
  asked.add(`${request.method} ${url}`)
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  const body: unknown = isJson ? await response.clone().json() : null
  const { pathname } = new URL(request.url)
  process.stdout.write(
    `${JSON.stringify({ method: request.method, path: pathname, status: response.status, body })}\n`,
  )
  return response
})

/** Reads until it is done. */
async function poll<Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  for (let reads = 0; reads < POLLS; reads += 1) {
    const value = await read()
    if (isDone(value)) return value
    await delay(POLL_MS)
  }
  throw new Error('It never came to an end')
}

async function readCalls(): Promise<void> {
  const { data: agents } = await api.agentsList({ throwOnError: true })
  const [agent] = agents.data
  if (agent === undefined) throw new Error('There is no agent')
  const { data: call } = await api.callsPlace({
    body: { to: '+9779812345678', agent_id: agent.agent_id },
    headers: { 'Idempotency-Key': 'tour-1' },
    throwOnError: true,
  })
  const path = { call_id: call.call_id }
  await poll(
    async () => (await api.callsRetrieve({ path, throwOnError: true })).data,
    ({ status }) => status === 'completed',
  )
  const { data: recording } = await api.callsRecording({ path, throwOnError: true })
  if ((await recording.slice(0, 4).text()) !== 'RIFF') throw new Error('The recording is no WAV file')
  const { data: transcript } = await api.callsTranscript({ path, throwOnError: true })
  if (transcript.turns[0]?.speaker !== 'agent')
    throw new Error('The transcript does not begin with the agent')
  await api.callsRemoveRecording({ path, throwOnError: true })
  const { data: page } = await api.callsList({ query: { limit: 1 }, throwOnError: true })
  if (page.data[0]?.call_id !== call.call_id) throw new Error('The latest call is not the first of the list')
  const { data: later } = await api.callsPlace({
    body: { to: '+9779812345678', agent_id: agent.agent_id, scheduled_at: LATER },
    throwOnError: true,
  })
  await api.callsCancel({ path: { call_id: later.call_id }, throwOnError: true })
}

async function hearSpeech(): Promise<void> {
  const { data: languages } = await api.synthesisLanguages({ throwOnError: true })
  const [language] = languages.data
  if (language === undefined) throw new Error('No language is spoken')
  const { data: speech } = await api.speechStream({
    body: { model: 'stream-tts', input: 'Good morning.', language: language.language },
    throwOnError: true,
  })
  const { data: synthesis } = await api.synthesisStream({
    body: { model: 'synth-l1', input: 'Good morning.', language: language.language },
    throwOnError: true,
  })
  // Frames of 320 samples of 2 bytes.
  for (const { size } of [speech, synthesis])
    if (size === 0 || size % 640 !== 0) throw new Error(`${size} bytes are no frames`)
  const { data: file } = await api.synthesisSynthesize({
    body: { model: 'synth-v1', text: 'Good morning.', language: language.language },
    throwOnError: true,
  })
  if (!(file instanceof Blob) || (await file.slice(0, 4).text()) !== 'RIFF')
    throw new Error('The synthesized file is no WAV file')
  const { data: found } = await api.watermarkDetect({ body: { audio: file }, throwOnError: true })
  if (!found.detected) throw new Error('The watermark of the file was not detected')
  const { data: spoken } = await api.modelsSpeech({
    body: { model: 'tts-1', voice: 'alloy', input: 'Good morning.', response_format: 'wav' },
    throwOnError: true,
  })
  if (!(spoken instanceof Blob) || (await spoken.slice(0, 4).text()) !== 'RIFF')
    throw new Error('The hosted speech is no WAV file')
}

async function cloneVoices(): Promise<void> {
  const recording = await openAsBlob(setting('RECORDING_FILE'), { type: 'audio/wav' })
  const body = { name: 'Guide', consent: 'true' as const, samples: [recording] }
  const { data: voice } = await api.voicesClone({ body, throwOnError: true })
  const { data: other } = await api.synthesisClone({ body, throwOnError: true })
  await api.speechStream({
    body: { model: 'stream-tts', input: 'Good morning.', language: 'en-US', voice: voice.voice_id },
    throwOnError: true,
  })
  const { data: voices } = await api.voicesList({ throwOnError: true })
  if (voices.data.length !== 2) throw new Error('The list of voices is not what was made')
  for (const { voice_id } of [voice, other])
    await api.voicesRemove({ path: { voice_id }, throwOnError: true })
}

async function batch(): Promise<void> {
  const { data: models } = await api.modelsList({ throwOnError: true })
  const body = { model: models.data[0]?.id, messages: [{ role: 'user', content: 'Good morning.' }] }
  const { data: made } = await api.batchesCreate({
    body: { endpoint: '/v1/chat/completions', requests: [{ custom_id: 'one', body }] },
    throwOnError: true,
  })
  const path = { batch_id: made.batch_id }
  const { status } = await poll(
    async () => (await api.batchesRetrieve({ path, throwOnError: true })).data,
    (read) => read.status !== 'queued' && read.status !== 'running',
  )
  if (status !== 'completed') throw new Error(`The batch ended as ${status}`)
  const { data: results } = await api.batchesResults({ path, parseAs: 'text', throwOnError: true })
  if (!String(results).includes('"custom_id":"one"')) throw new Error('The result of the batch is missing')
  const { data: page } = await api.batchesList({ throwOnError: true })
  if (page.data[0]?.batch_id !== made.batch_id) throw new Error('The batch is not the first of the list')
  const { data: other } = await api.batchesCreate({
    body: {
      endpoint: '/v1/engine/synthesize',
      requests: Array.from({ length: 50 }, (_, index) => ({
        custom_id: `${index}`,
        body: { model: 'synth-l2', text: 'Good morning.' },
      })),
    },
    throwOnError: true,
  })
  await api.batchesCancel({ path: { batch_id: other.batch_id }, throwOnError: true })
}

/** Removes from each list what it has put there; their ids have the same name. */
async function keepDoNotCall(): Promise<void> {
  const body = { phone_number: '+9779800000002' }
  const { data: own } = await api.doNotCallAdd({ body, throwOnError: true })
  await api.doNotCallRemove({ path: { listed_number_id: own.listed_number_id }, throwOnError: true })
  const { data: ofAll } = await api.doNotCallAddForAll({ body, throwOnError: true })
  await api.doNotCallRemoveForAll({ path: { listed_number_id: ofAll.listed_number_id }, throwOnError: true })
}

/** Verifies a caller id in test mode, whose response has the code. */
async function verifyCallerId(): Promise<void> {
  const body = { phone_number: '+9779800000004' }
  const { data: started } = await api.callerIdsStart({ body, throwOnError: true })
  const path = { caller_id_id: started.caller_id_id }
  await api.callerIdsVerify({ path, body: { code: started.test_code ?? '' }, throwOnError: true })
  await api.callerIdsRemove({ path, throwOnError: true })
}

/** The model of a server without upstreams. */
const BUILT_IN = 'vaani-echo'
/** What only an upstream has. */
const OF_UPSTREAMS = [
  '/v1/embeddings',
  '/v1/completions',
  '/v1/moderations',
  '/v1/images/generations',
  '/v1/audio/transcriptions',
  '/v1/audio/translations',
]
/** What an upstream keeps. */
const KEPT = [
  'POST /v1/files',
  'GET /v1/files',
  'GET /v1/files/{file_id}',
  'GET /v1/files/{file_id}/content',
  'DELETE /v1/files/{file_id}',
  'POST /v1/batches',
  'GET /v1/batches',
  'GET /v1/batches/{stored_batch_id}',
  'POST /v1/batches/{stored_batch_id}/cancel',
]

async function chat(): Promise<void> {
  const { data: list } = await api.modelsList({ throwOnError: true })
  const model = list.data[0]?.id ?? ''
  await api.modelsRetrieve({ path: { model }, throwOnError: true })
  const messages = [{ role: 'user' as const, content: 'Good morning.' }]
  await api.modelsChat({ body: { model, messages }, throwOnError: true })
  await api.modelsRespond({ body: { model, input: 'Good morning.' }, throwOnError: true })
  if (model === BUILT_IN)
    for (const one of [...OF_UPSTREAMS.map((path) => `POST ${path}`), ...KEPT]) asked.add(one)
  else await askUpstream(model)
  await api.modelsUsage({ query: { from: '2026-01-01' }, throwOnError: true })
}

/** Asks for what the built-in model does not have. */
async function askUpstream(model: string): Promise<void> {
  await api.modelsEmbed({ body: { model, input: 'Good morning.' }, throwOnError: true })
  await api.modelsComplete({ body: { model, prompt: 'Good' }, throwOnError: true })
  await api.modelsModerate({ body: { model, input: 'Good morning.' }, throwOnError: true })
  await api.modelsDraw({ body: { model, prompt: 'A parcel.' }, throwOnError: true })
  const file = await openAsBlob(setting('RECORDING_FILE'), { type: 'audio/wav' })
  await api.modelsTranscribe({ body: { model, file }, throwOnError: true })
  await api.modelsTranslate({ body: { model, file }, throwOnError: true })
  await keepBatch(model)
}

async function keepBatch(model: string): Promise<void> {
  const line = {
    custom_id: 'one',
    method: 'POST',
    url: '/v1/embeddings',
    body: { model, input: 'Good morning.' },
  }
  const requests = new Blob([JSON.stringify(line)])
  const { data: file } = await api.modelsCreateFile({
    body: { purpose: 'batch', file: requests },
    throwOnError: true,
  })
  const path = { file_id: file.id }
  await api.modelsListFiles({ throwOnError: true })
  await api.modelsRetrieveFile({ path, throwOnError: true })
  await api.modelsReadFile({ path, parseAs: 'text', throwOnError: true })
  const { data: made } = await api.modelsCreateBatch({
    body: { input_file_id: file.id, endpoint: '/v1/embeddings', completion_window: '24h' },
    throwOnError: true,
  })
  await api.modelsListBatches({ throwOnError: true })
  await api.modelsRetrieveBatch({ path: { stored_batch_id: made.id }, throwOnError: true })
  await api.modelsCancelBatch({ path: { stored_batch_id: made.id }, throwOnError: true })
  await api.modelsRemoveFile({ path, throwOnError: true })
}

async function readDocument(): Promise<void> {
  const image = await openAsBlob(setting('IMAGE_FILE'))
  const image_b64 = Buffer.from(await image.arrayBuffer()).toString('base64')
  const { data: page } = await api.modelsOcr({ body: { image_b64, language: 'en' }, throwOnError: true })
  if (!('text' in page) || page.text === '') throw new Error('Nothing was read')
  const { data: handle } = await api.modelsOcr({
    body: { image_b64, language: 'en' },
    headers: { Prefer: 'respond-async' },
    throwOnError: true,
  })
  if (!('document_id' in handle)) throw new Error('The document has no handle')
  const path = { document_id: handle.document_id }
  const { status } = await poll(
    async () => (await api.modelsOcrDocument({ path, throwOnError: true })).data,
    ({ status }) => status === 'completed' || status === 'failed',
  )
  if (status !== 'completed') throw new Error(`The document ended as ${status}`)
}

const submitted = (id: string) =>
  poll(
    async () => (await api.identityRetrieve({ path: { verification_id: id }, throwOnError: true })).data,
    ({ status }) => status !== 'pending',
  )

async function verifyPersons(): Promise<void> {
  const [image, video] = await Promise.all([
    openAsBlob(setting('IMAGE_FILE'), { type: 'image/jpeg' }),
    openAsBlob(setting('VIDEO_FILE'), { type: 'video/mp4' }),
  ])
  const { data: first } = await api.identitySubmitV1({
    body: { front_image: image, back_image: image, liveness_video: video, external_id: 'test_approved' },
    throwOnError: true,
  })
  const encode = async (blob: Blob) => Buffer.from(await blob.arrayBuffer()).toString('base64')
  const { data: second } = await api.identitySubmitV2({
    body: {
      front_image_b64: await encode(image),
      liveness_video_b64: await encode(video),
      external_id: 'test_review_glare',
    },
    throwOnError: true,
  })
  const approved = await submitted(first.verification_id)
  if (approved.status !== 'approved') throw new Error(`It is ${approved.status}`)
  await submitted(second.verification_id)
  const path = { verification_id: second.verification_id }
  await api.identityReconsider({ path, body: { policy: 'default' }, throwOnError: true })
  const reviewer = 'staff-7'
  await api.reviewsList({ throwOnError: true })
  await api.reviewsCounts({ throwOnError: true })
  await api.reviewsClaimNext({ body: { reviewer }, throwOnError: true })
  await api.reviewsRelease({ path, body: { reviewer }, throwOnError: true })
  await api.reviewsClaim({ path, body: {}, throwOnError: true })
  await api.reviewsAsk({ path, body: { artifact: 'front_image', problem: 'glare' }, throwOnError: true })
  await api.reviewsAddNote({ path, body: { note: 'Seen.' }, throwOnError: true })
  await api.reviewsMedia({ path, query: { artifact: 'front_image' }, throwOnError: true })
  await api.reviewsFrames({ path, throwOnError: true })
  await api.reviewsRetrieve({ path, throwOnError: true })
  await api.reviewsHistory({ path, throwOnError: true })
  await api.identityReview({ path, body: { decision: 'declined', note: 'Glare.' }, throwOnError: true })
  await api.identityRemoveMedia({ path, throwOnError: true })
  await api.identityList({ query: { limit: 5 }, throwOnError: true })
  const { data: history } = await api.identitySubject({
    path: { external_id: 'test_approved' },
    throwOnError: true,
  })
  if (history.data.length !== 1) throw new Error('The history of a person is not what was sent')
  await api.identityEraseSubject({ path: { external_id: 'test_approved' }, throwOnError: true })
}

async function receiveWebhooks(): Promise<void> {
  const since = new Date().toISOString()
  const { data: endpoint } = await api.webhooksCreateEndpoint({
    body: { url: setting('RECEIVER_URL'), events: ['call.completed'] },
    throwOnError: true,
  })
  const path = { endpoint_id: endpoint.endpoint_id }
  await api.webhooksListEndpoints({ throwOnError: true })
  await api.webhooksRetrieveEndpoint({ path, throwOnError: true })
  await api.webhooksUpdateEndpoint({ path, body: { events: ['call.failed'] }, throwOnError: true })
  await api.webhooksRotateSecret({ path, body: { overlap_hours: 1 }, throwOnError: true })
  await api.webhooksRotateAccountSecret({ body: {}, throwOnError: true })
  const { data: sent } = await api.webhooksSendTestEvent({
    path,
    body: { type: 'call.failed' },
    throwOnError: true,
  })
  const delivery = { path: { delivery_id: sent.delivery_id }, throwOnError: true } as const
  await poll(
    async () => (await api.webhooksRetrieveDelivery(delivery)).data,
    ({ status }) => status === 'delivered',
  )
  const query = { ...path, event_type: 'call.failed', created_after: since } as const
  const { data: deliveries } = await api.webhooksListDeliveries({ query, throwOnError: true })
  if (deliveries.data.length !== 1) throw new Error('The list of deliveries is not what was sent')
  await api.webhooksResend(delivery)
  await api.webhooksRecover({ body: { since }, throwOnError: true })
  await api.webhooksDeleteEndpoint({ path, throwOnError: true })
}

/** Some routes are not included in the tier of a new account. */
async function upgrade(): Promise<void> {
  const { data: accounts } = await api.adminListAccounts({ throwOnError: true })
  const path = { account_id: accounts.data[0]?.account_id ?? '' }
  await api.adminUpdateAccount({ path, body: { tier: 'enterprise' }, throwOnError: true })
}

/** Calls the generated function of every operation that the tour has not been to. */
async function askTheRest(): Promise<void> {
  const document = JSON.parse(await readFile('openapi.json', 'utf8'))
  await askOthers(document, asked, async (operationId, given) => {
    const name = operationId.replaceAll(/\.(.)/g, (_, letter: string) => letter.toUpperCase())
    const call: unknown = Reflect.get(api, name)
    if (typeof call !== 'function') throw new Error(`The generated client has no function ${name}`)
    return (await call({ ...given, throwOnError: true })).data
  })
}

await upgrade()
await readCalls()
await keepDoNotCall()
await verifyCallerId()
await hearSpeech()
await chat()
await batch()
await readDocument()
await cloneVoices()
await receiveWebhooks()
await verifyPersons()
await askTheRest()
