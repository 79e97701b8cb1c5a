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
   * Refuses deliveries without the Standard Webhooks headers. `X-Service-Signature` covers no time, so an attacker who
   * captures a delivery could strip the other headers and replay it at any time. Default: false.
   */
  readonly requireTimestamp?: boolean
  /** Refuses an event that was accepted before. Default: none. */
  readonly replayStore?: ReplayStore
  /** How long an id is remembered. Default: 90 000, an hour longer than the day over which deliveries are retried. */
  readonly replayWindowSeconds?: number
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly clock?: () => number
}

/** Bodies are `unknown`, because frameworks often pass a parsed one; it is refused as `body_not_raw`. */
export interface Verifier<Event = WebhookEvent> {
  /** Checks the signature, parses the body, and claims its id if there is a replay store. */
  verify(body: unknown, headers: HeaderSource): Promise<VerifyResult<Event>>
  /** Like `verify`. @throws InvalidSignatureError instead of returning `ok: false` */
  verifyOrThrow(body: unknown, headers: HeaderSource): Promise<VerifiedEvent<Event>>
  /** Checks only the signature, for bodies that are not JSON or are parsed elsewhere. Claims no id. */
  verifySignature(body: unknown, headers: HeaderSource): Promise<SignatureResult>
  /** Releases an event's id in the replay store after its processing failed, so that the next attempt is accepted. */
  release(id: string | undefined): Promise<void>
}

const DEFAULT_TOLERANCE_SECONDS = 300
const DEFAULT_REPLAY_WINDOW_SECONDS = 90_000
const MAXIMUM_ID_LENGTH = 256

/**
 * Creates a verifier. It prepares its keys once, so create one and reuse it.
 *
 * If a delivery has `webhook-signature`, that signature decides, because it covers the time as well; otherwise
 * `X-Service-Signature` does. The codes and messages of results never contain anything of the delivery.
 *
 * @throws TypeError or RangeError for options that cannot work
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
  // Also refuses NaN, which would accept any age.
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
      // The message of JSON.parse quotes the body, so drop it.
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
