import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { findSpecimen, type Specimen } from '@vaani/test-harness'
import type { Violations } from '@vaani/test-services/chaos'
import { CALLER_KEY, type Cluster, SERVER } from './cluster.ts'

const CALLERS = 6
const RETRY_MS = 250
const PAUSE_MS = 300
/** No answer may take longer, whatever is broken behind the gateway. */
const ANSWER_MS = 20_000
const KINDS = ['test_approved', 'test_review_glare', 'test_declined_expired'] as const

/** A submission of the storm. */
export interface Submission {
  externalId: string
  /** Null if there was no answer before the storm ended. */
  verificationId: string | null
}

export interface LoadOptions {
  cluster: Cluster
  violations: Violations
  random(): number
  over: AbortSignal
}

/** Runs callers that submit and read back through the gateway until the storm is over. */
export async function runLoad(options: LoadOptions): Promise<Submission[]> {
  const media = {
    front_image: await openSpecimen('card-front.jpg'),
    back_image: await openSpecimen('card-back.jpg'),
    liveness_video: await openSpecimen('liveness.mp4'),
  }
  const submissions: Submission[] = []
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (!options.over.aborted) {
        const submission = await submit(options, media)
        submissions.push(submission)
        if (submission.verificationId !== null) await readBack(options, submission.verificationId)
        await delay(PAUSE_MS * (0.5 + options.random()))
      }
    }),
  )
  return submissions
}

const openSpecimen = async (name: Specimen): Promise<Blob> =>
  new Blob([await readFile(findSpecimen(name, SERVER))])

/** Submits once and for all: a repeat has the same Idempotency-Key. */
async function submit(
  { cluster, violations, random, over }: LoadOptions,
  media: Readonly<Record<string, Blob>>,
): Promise<Submission> {
  const kind = KINDS[Math.floor(random() * KINDS.length)] ?? KINDS[0]
  const submission: Submission = { externalId: `${kind}:${randomUUID()}`, verificationId: null }
  const form = new FormData()
  form.set('external_id', submission.externalId)
  for (const [name, file] of Object.entries(media)) form.set(name, file, name)
  const request = { method: 'POST', body: form, headers: { 'idempotency-key': randomUUID() } }
  while (!over.aborted) {
    const answer = await send(cluster.gateway.url, '/identity/kyc/v1', violations, request)
    if (answer?.status === 200) {
      submission.verificationId = String(JSON.parse(answer.text).verification_id)
      return submission
    }
    // The first request is still running at the primary, although the gateway that sent it was killed.
    if (answer !== null && answer.status !== 409)
      violations.violate(`a submission answered ${answer.status}`, answer.text.slice(0, 200))
    await delay(RETRY_MS)
  }
  return submission
}

/** The gateway has to answer what the primary answers. */
async function readBack({ cluster, violations }: LoadOptions, id: string): Promise<void> {
  const path = `/identity/verifications/${id}`
  const direct = await send(cluster.primary.url, path, violations)
  const passed = await send(cluster.gateway.url, path, violations)
  const later = await send(cluster.primary.url, path, violations)
  if (direct === null || passed === null || later === null) return
  if (![direct, later].some(({ status, text }) => status === passed.status && text === passed.text))
    violations.violate('answered differently', `${id}: ${passed.status}`)
}

async function send(url: string, path: string, violations: Violations, request: RequestInit = {}) {
  const startMs = performance.now()
  try {
    const headers = { authorization: `Bearer ${CALLER_KEY}`, ...request.headers }
    const response = await fetch(url + path, { ...request, headers, signal: AbortSignal.timeout(ANSWER_MS) })
    const text = await response.text()
    violations.count(`answered ${response.status}`)
    return { status: response.status, text }
  } catch {
    // A gateway that was killed answers nothing; one that runs has to.
    if (performance.now() - startMs > ANSWER_MS - 1000) violations.violate('no answer in time', path)
    violations.count('no answer')
    return null
  }
}
