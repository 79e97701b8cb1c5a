import { quote } from '../message/grammar.ts'
import type { Headers } from '../message/message.ts'
import { DIGEST_ALGORITHMS, isSession } from './algorithms.ts'
import type { Challenge, Qop } from './challenge.ts'
import { computeResponse } from './compute-response.ts'

export interface AnswerRequest {
  /** Of one response: see `challengesOf`. */
  readonly challenges: readonly Challenge[]
  readonly method: string
  /** Request-URI, as it stands on the line. */
  readonly uri: string
  readonly body: Uint8Array
  readonly username: string
  readonly password: string
  /** How often the nonce was used, this time included: from 1. */
  readonly nonceCount: number
  /** Random, at least 64 bits of it. */
  readonly clientNonce: string
  /** The only realm that is answered. Default: that of the first challenge. */
  readonly realm?: string
}

export interface Answer {
  /** The challenge that it answers: remember its nonce and realm. */
  readonly challenge: Challenge
  /** Header field for the repeated request. */
  readonly header: Headers[number]
}

/**
 * Picks the challenge with the strongest algorithm, a local policy that RFC 8760, 2.4 allows in place of the topmost.
 * An answer to a foreign realm would give a hash of the password to the sender of the challenge.
 */
const choose = ({ challenges, realm }: AnswerRequest): Challenge | undefined => {
  const own = realm ?? challenges[0]?.realm
  return challenges
    .filter((challenge) => challenge.realm === own)
    .toSorted((a, b) => DIGEST_ALGORITHMS.indexOf(a.algorithm) - DIGEST_ALGORITHMS.indexOf(b.algorithm))[0]
}

/** Prefers `auth`, because session border controllers rewrite bodies, which breaks `auth-int`. */
const chooseQop = ({ qop }: Challenge): Qop | undefined => (qop.includes('auth') ? 'auth' : qop[0])

/** Answers a challenge. Returns undefined if none may be answered. */
export const answerChallenge = (request: AnswerRequest): Answer | undefined => {
  const challenge = choose(request)
  if (challenge === undefined) return undefined
  const { realm, nonce, algorithm, opaque } = challenge
  const { method, uri, body, username, password, clientNonce } = request
  const qop = chooseQop(challenge)
  const nonceCount = request.nonceCount.toString(16).padStart(8, '0')
  const response = computeResponse({
    algorithm,
    username,
    realm,
    password,
    nonce,
    qop,
    nonceCount,
    clientNonce,
    method,
    uri,
    body,
  })
  const usesClientNonce = qop !== undefined || isSession(algorithm)
  const parameters = [
    `username=${quote(username)}`,
    `realm=${quote(realm)}`,
    `nonce=${quote(nonce)}`,
    `uri=${quote(uri)}`,
    `response="${response}"`,
    `algorithm=${algorithm}`,
    ...(usesClientNonce ? [`cnonce=${quote(clientNonce)}`] : []),
    ...(qop === undefined ? [] : [`qop=${qop}`, `nc=${nonceCount}`]),
    ...(opaque === undefined ? [] : [`opaque=${quote(opaque)}`]),
  ]
  const name = challenge.from === 'proxy' ? 'proxy-authorization' : 'authorization'
  return { challenge, header: [name, `Digest ${parameters.join(', ')}`] }
}
