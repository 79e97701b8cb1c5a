import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import { contract } from '@vaani/contracts'
import { mountStreamed } from '@vaani/service-kit/http/body/mount-streamed'
import { JSON_TYPES } from '@vaani/service-kit/http/body/json-types'
import { defineFeature, handle, type Mount } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import { z } from 'zod'
import type { WebhooksPort } from '../webhooks/port.ts'
import type { IdentityContext } from './context.ts'
import { IDENTITY_EVENTS, type IdentityEvent } from './events.ts'
import { EXTRACTED, readForWebhook } from './extracted.ts'
import * as verifications from './migrations/0004-verifications.ts'
import * as pending from './migrations/0009-pending-verifications.ts'
import * as attempts from './migrations/0010-verification-attempts.ts'
import * as erasureOfPersons from './migrations/0018-erasure-of-persons.ts'
import * as reviews from './migrations/0026-reviews.ts'
import * as digestIndexes from './migrations/0028-digest-indexes.ts'
import * as digestKey from './migrations/0029-digest-key.ts'
import * as votes from './migrations/0032-votes.ts'
import * as reviewQueue from './migrations/0033-review-queue.ts'
import { declareIdentityMetrics, type IdentityMetrics } from './metrics.ts'
import { pendingLimit } from './pending-limit.ts'
import { eraseSubject } from './routes/erase-subject.ts'
import { listVerifications } from './routes/list.ts'
import { reconsiderVerification } from './routes/reconsider.ts'
import { removeMedia } from './routes/remove-media.ts'
import { retrieveVerification } from './routes/retrieve.ts'
import { reviewVerification } from './routes/review.ts'
import { addNote, readHistory } from './routes/review-entries.ts'
import {
  askAgain,
  claimNextReview,
  claimReview,
  countReviews,
  listReviews,
  releaseReview,
  retrieveReview,
} from './routes/review-queue.ts'
import { lookAtFrames, lookAtMedia } from './routes/review-media.ts'
import { readSubject } from './routes/subject.ts'
import { submitV1 } from './routes/submit-v1.ts'
import { submitV2 } from './routes/submit-v2.ts'
import type { V1End } from './rules/describe-v1.ts'
import { VERIFICATION_SAMPLES } from './rules/sample-event.ts'
import { type IdentitySettings, identitySettings } from './settings.ts'
import { declareIdentitySpans, type IdentitySpans } from './spans.ts'
import { startIdentity } from './start-identity.ts'
import { translateCheckError } from './translate-check-error.ts'

type Needs = Pick<
  Services,
  | 'blobs'
  | 'clock'
  | 'database'
  | 'held'
  | 'idempotency'
  | 'isWorker'
  | 'lease'
  | 'limiter'
  | 'log'
  | 'makeId'
  | 'pool'
  | 'unsealed'
  | 'vault'
> & {
  webhooks: WebhooksPort
  settings: IdentitySettings
  events: Events<IdentityEvent>
  metrics: IdentityMetrics
  spans: IdentitySpans
}

/** `fileSize` is unlimited here because each artifact's own limit is enforced while it arrives. */
const FORM_LIMITS = {
  fieldNameSize: 100,
  fields: 10,
  fieldSize: 4096,
  files: 5,
  parts: 15,
  fileSize: Number.POSITIVE_INFINITY,
}

/** The routes that read media as it arrives are mounted separately. */
const { submitV1: submitV1Route, submitV2: submitV2Route, ...wholeRoutes } = contract.identity

/** Identity verification: intake, checks, decision and review. */
export const identityFeature = defineFeature({
  name: 'identity',
  contract: { identity: contract.identity, reviews: contract.reviews },
  settings: identitySettings,
  migrations: {
    '0004-verifications': verifications,
    '0009-pending-verifications': pending,
    '0010-verification-attempts': attempts,
    '0018-erasure-of-persons': erasureOfPersons,
    '0026-reviews': reviews,
    '0028-digest-indexes': digestIndexes,
    '0029-digest-key': digestKey,
    '0032-votes': votes,
    '0033-review-queue': reviewQueue,
  },
  sealed: [{ table: 'verifications', column: 'data_key', id: 'verification_id' }],
  events: IDENTITY_EVENTS,
  metrics: declareIdentityMetrics,
  spans: declareIdentitySpans,
  translate: translateCheckError,
  async start(needs: Needs) {
    needs.webhooks.provideLateField(EXTRACTED, readForWebhook(needs))
    needs.webhooks.provideSamples(VERIFICATION_SAMPLES)
    const identity = await startIdentity({ ...needs, onEvents: needs.webhooks.wake })
    const context: IdentityContext = { ...needs, identity }
    return {
      mounts: [
        handle(wholeRoutes, {
          retrieve: retrieveVerification(context),
          list: listVerifications(context),
          review: reviewVerification(context),
          reconsider: reconsiderVerification(context),
          removeMedia: removeMedia(context),
          subject: readSubject(context),
          eraseSubject: eraseSubject(context),
        }),
        handle(contract.reviews, {
          list: listReviews(context),
          counts: countReviews(context),
          claimNext: claimNextReview(context),
          retrieve: retrieveReview(context),
          claim: claimReview(context),
          release: releaseReview(context),
          ask: askAgain(context),
          addNote: addNote(context),
          history: readHistory(context),
          media: lookAtMedia(context),
          frames: lookAtFrames(context),
        }),
        mountV1(context, needs.settings.v1End),
        mountV2(context),
      ],
      port: identity,
      workers: identity.verifier ? [identity.verifier] : [],
      counters: {
        pending_verifications: (principal) => pendingLimit.count(needs.database, principal),
      },
      sweeps: { 'data of persons': () => identity.erasure.sweep() },
    }
  },
})

const mountV1 =
  (context: IdentityContext, end: V1End): Mount =>
  async (app) => {
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      await scope.register(multipart, { limits: FORM_LIMITS })
      await mountStreamed(scope, submitV1Route, {
        receive: submitV1(context, end),
        idempotency: context.idempotency,
      })
    })
  }

const mountV2 =
  (context: IdentityContext): Mount =>
  async (app) => {
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser([...JSON_TYPES], (_, payload, done) => done(null, payload))
      // The body is parsed while it streams in, so no schema validates it here.
      const route = { ...submitV2Route, body: z.custom<Readable>() }
      await mountStreamed(scope, route, { receive: submitV2(context), idempotency: context.idempotency })
    })
  }
