import { type Contract, LIMITS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { requireForm } from '@vaani/service-kit/http/body/form'
import type { StreamedRoute } from '@vaani/service-kit/http/body/streamed-route'
import type { AnswerOf } from '@vaani/service-kit/http/ts-rest'
import { makeDataKey } from '@vaani/service-kit/vault/data-key'
import { sealText } from '@vaani/service-kit/vault/sealed-bytes'
import type { FastifyRequest } from 'fastify'
import type { VoicesContext } from '../context.ts'
import { type ReceivedVoice, receiveVoice } from '../intake/receive-voice.ts'
import { toVoice } from '../view.ts'
import { placeOfVoice } from '../voice-reader.ts'

type Answer = AnswerOf<Contract['voices']['clone']>

const tooMany = () =>
  new ApiError(
    'state_conflict',
    `The account already has ${LIMITS.voicesPerAccount} voices, which is the maximum`,
  )

/** POST /v1/audio/clone and POST /v1/engine/clone */
export function cloneVoice(context: VoicesContext): StreamedRoute<Answer> {
  return async ({ request }) => {
    context.requireExaminer()
    requireForm(request)
    // A repeated request needs no room.
    if (
      request.headers['idempotency-key'] === undefined &&
      (await context.store.count(principalOf(request))) >= LIMITS.voicesPerAccount
    )
      throw tooMany()
    const received = await receiveVoice(context, request)
    return { ...received, act: () => clone(context, request, received) }
  }
}

async function clone(
  context: VoicesContext,
  request: FastifyRequest,
  { fields, recordings }: ReceivedVoice,
): Promise<Answer> {
  const { store, events, erasure } = context
  const { accountId, livemode, keyId } = principalOf(request)
  const { name, language } = fields
  const voice = await context.requireExaminer().cloneVoice(
    recordings.map(({ file }) => file),
    { tenant: accountId, ...(language !== null && { language }) },
  )
  const voiceId = context.makeId('voice')
  const { key, sealed } = makeDataKey(context.vault, voiceId)
  const now = new Date(context.clock.nowMs())
  const row = {
    voice_id: voiceId,
    account_id: accountId,
    livemode,
    name,
    language,
    state: 'storing' as const,
    data_key: sealed,
    voice: null,
    recordings: recordings.length,
    consent_key_id: keyId,
    consented_at: now,
    created_at: now,
  }
  const body = toVoice(row)
  // The row comes first, so that a sweep finds the recordings if this process dies.
  if (!(await store.begin(row))) throw tooMany()
  try {
    await context.recordings.keep(voiceId, recordings, key)
    const sealedVoice = sealText(JSON.stringify(voice), { key, place: placeOfVoice(voiceId) })
    await store.finish(voiceId, sealedVoice, async (client) => {
      const claim = request.idempotency
      if (claim === null) return
      claim.objectId = voiceId
      await context.idempotency.keep(claim, { status: 201, body: JSON.stringify(body) }, client)
    })
  } catch (error) {
    // Does nothing if the commit succeeded after all. The sweep does the rest if this fails, too.
    await erasure.giveUp(voiceId, recordings.length).catch(() => undefined)
    throw error
  }
  events.record('voice_cloned', { voice_id: voiceId, account_id: accountId, key_id: keyId })
  return { status: 201, body }
}
