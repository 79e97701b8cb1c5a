import { answerChallenge } from '../digest/answer-challenge.ts'
import { type Challenge, challengesOf } from '../digest/challenge.ts'
import type { Headers, SipRequest, SipResponse } from '../message/message.ts'
import { SipParseError } from '../message/sip-parse-error.ts'
import type { RandomHex } from './random-hex.ts'

/** How often one request is repeated: once, and once more if only the nonce was too old. */
const MAX_ANSWERS = 2

export interface CredentialsOptions {
  readonly username: string
  readonly password: string
  /** The only realm that is answered. Default: the first that the trunk names. */
  readonly realm?: string | undefined
  readonly randomHex: RandomHex
}

/** Digest credentials of a trunk. `ask` sees to it that only the trunk is answered, never a peer of a dialog elsewhere. */
export class Credentials {
  readonly #options: CredentialsOptions
  #realm: string | undefined
  #lastNonce: { readonly nonce: string; readonly uses: number } | undefined

  constructor(options: CredentialsOptions) {
    this.#options = options
    this.#realm = options.realm
  }

  /**
   * Returns the header with which a challenged request is to be repeated; undefined if it must not be.
   *
   * @param answers how often this request was repeated
   */
  answer(request: SipRequest, response: SipResponse, answers: number): Headers[number] | undefined {
    const challenges = readChallenges(response)
    const isRefused = answers > 0 && !challenges.some(({ stale }) => stale)
    if (isRefused || answers >= MAX_ANSWERS) return undefined
    const last = this.#lastNonce
    // A nonce may serve several requests, each with the next count (RFC 7616, section 3.4).
    const nonceCount = challenges.some(({ nonce }) => nonce === last?.nonce) ? (last?.uses ?? 0) + 1 : 1
    const { username, password, randomHex } = this.#options
    const answer = answerChallenge({
      challenges,
      method: request.method,
      uri: request.uri,
      body: request.body,
      username,
      password,
      nonceCount,
      clientNonce: randomHex(16),
      ...(this.#realm !== undefined && { realm: this.#realm }),
    })
    if (!answer) return undefined
    this.#realm ??= answer.challenge.realm
    this.#lastNonce = { nonce: answer.challenge.nonce, uses: nonceCount }
    return answer.header
  }
}

/** Returns no challenge for a malformed one: the request has failed anyway. */
function readChallenges(response: SipResponse): readonly Challenge[] {
  try {
    return challengesOf(response)
  } catch (error) {
    if (error instanceof SipParseError) return []
    throw error
  }
}
