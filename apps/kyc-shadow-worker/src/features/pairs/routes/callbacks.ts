import type { CallbackSettings } from '../../../callback-settings.ts'
import { LIMITS, VERIFICATION_EVENT_TYPES } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Mount } from '@vaani/service-kit/service/define-feature'
import { createVerifier, type Verifier } from '@vaani/webhook-verifier'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AwaitedCallbacks } from '../deployments/awaited-callbacks.ts'
import { readVerification, toReported } from '../deployments/read-reported.ts'
import { findPlaces } from '../find-places.ts'
import type { PairMetrics } from '../metrics.ts'
import type { PairMachine } from '../pair-machine.ts'
import { applyCallback, type Reported } from '../rules/apply.ts'
import { deploymentOf } from '../rules/plan.ts'
import { type Deployment, DEPLOYMENTS } from '../rules/schedules.ts'
import type { EarlyDecisions } from '../work/early-decisions.ts'

const DECISIONS: ReadonlySet<unknown> = new Set(Object.values(VERIFICATION_EVENT_TYPES))

const eventSchema = z.object({ type: z.string(), data: z.unknown() })

interface CallbackOptions {
  database: Db
  machine: PairMachine
  early: EarlyDecisions
  awaited: AwaitedCallbacks
  secrets: CallbackSettings['callbackSecrets']
  clock: Clock
  random: () => number
  metrics: PairMetrics
}

/**
 * Receives the callbacks of both deployments. They are not in the contract, because their senders know only the URL that they got.
 * A callback that comes again changes nothing, because only the first decision of a verification counts.
 */
export const mountCallbacks =
  (options: CallbackOptions): Mount =>
  async (app) => {
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: LIMITS.jsonBodyBytes },
        (_, body, done) => done(null, body),
      )
      for (const deployment of DEPLOYMENTS) {
        const secrets = options.secrets[deployment]
        if (secrets.length === 0) continue
        const verifier = createVerifier({
          secrets: Object.fromEntries(secrets.map((secret, index) => [`secret ${index + 1}`, secret])),
          clock: () => options.clock.nowMs(),
        })
        scope.post(`/callbacks/${deployment}`, async (request, reply) => {
          await receive(request, { ...options, deployment, verifier })
          return reply.status(204).send()
        })
      }
    })
  }

/** @throws ApiError if the signature is not genuine; an error of the database, so that the callback is sent again */
async function receive(
  request: FastifyRequest,
  options: CallbackOptions & { deployment: Deployment; verifier: Verifier },
): Promise<void> {
  const { deployment, metrics, clock, random, machine } = options
  const verified = await options.verifier.verify(request.body ?? Buffer.alloc(0), request.headers)
  const checkId = readCheckId(request.query)
  if (checkId !== null) await options.awaited.note(checkId, verified.ok ? 'genuine' : 'forged')
  if (!verified.ok) {
    metrics.callbacks.add({ deployment, result: 'forged' })
    throw new ApiError('invalid_signature', `The signature is not genuine: ${verified.message}`)
  }
  const reported = readDecision(verified.event)
  const places = reported === null ? [] : await findPlaces(options, reported, request.query)
  metrics.callbacks.add({ deployment, result: places.length === 0 ? 'other' : 'of_a_pair' })
  // Other events of the account come here as well.
  if (reported === null) return
  if (places.length === 0) options.early.keep(deployment, reported)
  const moment = { nowMs: clock.nowMs(), random: random() }
  for (const { pairId, version } of places)
    await machine.change(pairId, (pair) =>
      deploymentOf(pair, version) === deployment ? applyCallback(pair, version, reported, moment) : null,
    )
}

const checkQuerySchema = z.object({ check: z.uuid() })

function readCheckId(query: unknown): string | null {
  const parsed = checkQuerySchema.safeParse(query)
  return parsed.success ? parsed.data.check : null
}

function readDecision(event: unknown): Reported | null {
  const parsed = eventSchema.safeParse(event)
  if (!parsed.success || !DECISIONS.has(parsed.data.type)) return null
  const verification = readVerification(parsed.data.data)
  return verification === null ? null : toReported(verification)
}
