import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import { type Contract, contract } from '@vaani/contracts'
import { listRoutes } from '@vaani/contracts/openapi'
import { mountStreamed } from '@vaani/service-kit/http/mount-streamed'
import { type Handlers, mount, mountMade } from '@vaani/service-kit/http/ts-rest'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { createAccount, listAccounts, updateAccount } from './features/admin/accounts.ts'
import { addCallerId, listCallerIds, removeCallerId } from './features/admin/caller-ids.ts'
import { createKey, listKeys, revokeKey } from './features/admin/keys.ts'
import { upsertAgent } from './features/admin/routes/upsert-agent.ts'
import { listAgents } from './features/agents/agents.ts'
import { cancelCall } from './features/calls/routes/cancel.ts'
import { listCalls } from './features/calls/routes/list.ts'
import { placeCall } from './features/calls/routes/place.ts'
import { callRecording } from './features/calls/routes/recording.ts'
import { removeRecording } from './features/calls/routes/remove-recording.ts'
import { retrieveCall } from './features/calls/routes/retrieve.ts'
import type { AppContext } from './context.ts'
import { submitV1, submitV2 } from './features/identity/submit.ts'
import {
  listVerifications,
  readSubject,
  reconsiderVerification,
  removeMedia,
  retrieveVerification,
  reviewVerification,
} from './features/identity/verifications.ts'
import { listLanguages } from './features/synthesis/routes/languages.ts'
import { streamAudio } from './features/speech/routes/stream.ts'
import { serveDocument } from '@vaani/service-kit/http/serve-document'
import { servedDocument } from './served-document.ts'
import { systemHandlers } from './features/system/routes.ts'
import {
  listDeliveries,
  recoverDeliveries,
  resendDelivery,
  retrieveDelivery,
  sendTestEvent,
} from './features/webhooks/deliveries.ts'
import {
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  retrieveEndpoint,
  updateEndpoint,
} from './features/webhooks/endpoints.ts'
import { rotateAccountSecret, rotateSecret } from './features/webhooks/rotate-secret.ts'

/** The part of the contract that this server serves; the rest answers 404 and is not in its document. */
export const servedContract = {
  calls: contract.calls,
  agents: contract.agents,
  speech: contract.speech,
  synthesis: { languages: contract.synthesis.languages },
  admin: contract.admin,
  webhooks: contract.webhooks,
  identity: contract.identity,
  system: contract.system,
} as const satisfies Partial<{ [Part in keyof Contract]: Partial<Contract[Part]> }>

/** The sizes of files are limited as they come, by what they are. */
const FORM_LIMITS = {
  fieldNameSize: 100,
  fields: 10,
  fieldSize: 4096,
  files: 5,
  parts: 15,
  fileSize: Number.POSITIVE_INFINITY,
}

/** Routes that read media as it arrives are mounted separately. */
const { submitV1: submitV1Route, submitV2: submitV2Route, ...wholeIdentity } = contract.identity
const { openapi: openapiRoute, ...probes } = contract.system
const wholeContract = { ...servedContract, identity: wholeIdentity, system: probes }

/** Mounts every route that is served. */
export async function mountRoutes(app: FastifyInstance, context: AppContext): Promise<void> {
  const { idempotency } = context
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    await scope.register(multipart, { limits: FORM_LIMITS })
    await mountStreamed(scope, submitV1Route, { receive: submitV1(context), idempotency })
  })
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', (_, payload, done) => done(null, payload))
    // No schema sees the whole body.
    const route = { ...submitV2Route, body: z.custom<Readable>() }
    await mountStreamed(scope, route, { receive: submitV2(context), idempotency })
  })
  const handlers: Handlers<typeof wholeContract> = {
    calls: {
      place: placeCall(context),
      retrieve: retrieveCall(context),
      list: listCalls(context),
      cancel: cancelCall(context),
      recording: callRecording(context),
      removeRecording: removeRecording(context),
    },
    agents: { list: listAgents(context) },
    speech: { stream: streamAudio(context) },
    synthesis: { languages: listLanguages(context) },
    admin: {
      createAccount: createAccount(context),
      listAccounts: listAccounts(context),
      updateAccount: updateAccount(context),
      createKey: createKey(context),
      listKeys: listKeys(context),
      revokeKey: revokeKey(context),
      addCallerId: addCallerId(context),
      listCallerIds: listCallerIds(context),
      removeCallerId: removeCallerId(context),
      upsertAgent: upsertAgent(context),
    },
    identity: {
      retrieve: retrieveVerification(context),
      list: listVerifications(context),
      review: reviewVerification(context),
      reconsider: reconsiderVerification(context),
      removeMedia: removeMedia(context),
      subject: readSubject(context),
    },
    webhooks: {
      createEndpoint: createEndpoint(context),
      listEndpoints: listEndpoints(context),
      retrieveEndpoint: retrieveEndpoint(context),
      updateEndpoint: updateEndpoint(context),
      deleteEndpoint: deleteEndpoint(context),
      rotateSecret: rotateSecret(context),
      rotateAccountSecret: rotateAccountSecret(context),
      sendTestEvent: sendTestEvent(context),
      listDeliveries: listDeliveries(context),
      retrieveDelivery: retrieveDelivery(context),
      resend: resendDelivery(context),
      recover: recoverDeliveries(context),
    },
    system: systemHandlers(context),
  }
  await mount(app, wholeContract, handlers)
  const operations = new Set(listRoutes(servedContract).map(({ metadata }) => metadata.operation))
  mountMade(app, openapiRoute, await serveDocument(servedDocument(operations)))
}
