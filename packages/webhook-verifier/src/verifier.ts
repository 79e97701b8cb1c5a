import { checkSignature } from './check-signature.ts'
import type { UnsharedBody } from './crypto/platform.ts'
import { readEventId } from './event-id.ts'
import type { WebhookEvent } from './events.ts'
import type { HeaderSource } from './headers.ts'
import { InvalidSignatureError } from './invalid-signature-error.ts'
import { parseBody } from './raw-body.ts'
import type { ReplayStore } from './replay-store.ts'
import type { SignatureResult, VerifiedEvent, VerifyResult } from './result.ts'
import { fail } from './result.ts'
import type { Secrets } from './secrets.ts'
import { prepareSecrets } from './secrets.ts'

export interface VerifierOptions {
  readonly secrets: Secrets
  /** How far `webhook-timestamp` may be from now, in the past or the future. Default: 300. */
  readonly toleranceSeconds?: number
  /**
   * Refuse deliveries without the Standard Webhooks headers. `X-Service-Signature` has no time in it, so whoever gets
   * hold of a delivery can send it again at any time, less its other headers. Default: false.
   */
  readonly requireTimestamp?: boolean
  /** Refuses an event that was accepted before. Default: none. */
  readonly replayStore?: ReplayStore
  /** How long an id is remembered. Default: 90 000, an hour beyond the day over which deliveries are retried. */
  readonly replayWindowSeconds?: number
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly clock?: () => number
}

/** A body is `unknown`, as what frameworks hand over often is not raw; that is refused as `body_not_raw`. */
export interface Verifier<Event = WebhookEvent> {
  /** Checks the signature, parses the body, and claims its id where there is a replay store. */
  verify(body: unknown, headers: HeaderSource): Promise<VerifyResult<Event>>
  /** As `verify`. @throws InvalidSignatureError instead of answering `ok: false` */
  verifyOrThrow(body: unknown, headers: HeaderSource): Promise<VerifiedEvent<Event>>
  /** Checks the signature only: for bodies that are not JSON, or are parsed elsewhere. Ids are not claimed. */
  verifySignature(body: unknown, headers: HeaderSource): Promise<SignatureResult>
  /** Gives an event's id back to the replay store, after work on it failed: its next attempt is then accepted. */
  release(id: string | undefined): Promise<void>
}

const DEFAULT_TOLERANCE_SECONDS = 300
const DEFAULT_REPLAY_WINDOW_SECONDS = 90_000
const MAXIMUM_ID_LENGTH = 256

/**
 * Prepares the keys once; make one verifier and keep it.
 *
 * Where a delivery has `webhook-signature`, that decides, as it proves the time as well; else `X-Service-Signature`.
 * The result's codes and messages never hold anything of the delivery.
 *
 * @throws TypeError or RangeError for options that could not work
 * @example
 * ```ts
 * const verifier = createVerifier({ secrets: { current: 'whsec_…', previous: 'whsec_…' } })
 * const result = await verifier.verify(await request.arrayBuffer(), request.headers)
 * if (!result.ok) return new Response(result.code, { status: 400 })
 * ```
 */
export function createVerifier<Event = WebhookEvent>(options: VerifierOptions): Verifier<Event> {
  const {
    toleranceSeconds = DEFAULT_TOLERANCE_SECONDS,
    requireTimestamp = false,
    replayStore,
    replayWindowSeconds = DEFAULT_REPLAY_WINDOW_SECONDS,
    clock = Date.now,
  } = options
  // Also refuses NaN, with which no time would ever be too old.
  if (!(toleranceSeconds >= 0)) throw new RangeError('toleranceSeconds must be 0 or more')
  if (!(replayWindowSeconds > 0)) throw new RangeError('replayWindowSeconds must be more than 0')
  const check = { secrets: prepareSecrets(options.secrets), toleranceSeconds, requireTimestamp, clock }

  async function verify(body: unknown, headers: HeaderSource): Promise<VerifyResult<Event>> {
    const checked = await checkSignature(check, body, headers)
    if (!checked.ok) return checked
    let event: unknown
    try {
      event = parseBody(body as UnsharedBody)
    } catch {
      // What JSON.parse says of it quotes the body.
      return fail('body_not_json')
    }
    const id = readEventId(event) ?? checked.id
    if (replayStore) {
      if (!id) return fail('missing_id')
      if (id.length > MAXIMUM_ID_LENGTH) return fail('malformed_id')
      if (!(await replayStore.claim(id, replayWindowSeconds))) return fail('replayed')
    }
    return { ok: true, event: event as Event, id, secretName: checked.secretName }
  }

  return {
    verify,
    async verifyOrThrow(body, headers) {
      const result = await verify(body, headers)
      if (!result.ok) throw new InvalidSignatureError(result)
      return result
    },
    verifySignature: (body, headers) => checkSignature(check, body, headers),
    async release(id) {
      if (id !== undefined) await replayStore?.release(id)
    },
  }
}
