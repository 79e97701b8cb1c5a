import { quote } from '../message/grammar.ts'
import type { Headers } from '../message/message.ts'
import { SipParseError } from '../message/sip-parse-error.ts'
import { algorithmNamed, type DigestAlgorithm } from './algorithms.ts'
import { parseAuthValues, type AuthValue } from './auth-parameters.ts'

/** Quality of protection: of method and URI, or of the body as well. */
export type Qop = 'auth' | 'auth-int'

/** One Digest challenge that we can answer (RFC 7616, 3.3). */
export interface Challenge {
  /** From a server (401), or from a proxy (407). */
  readonly from: 'server' | 'proxy'
  readonly realm: string
  readonly nonce: string
  readonly algorithm: DigestAlgorithm
  /** Empty in challenges of RFC 2069. */
  readonly qop: readonly Qop[]
  /** Whether the password was right and only the nonce too old. */
  readonly stale: boolean
  readonly opaque?: string
}

const isQop = (text: string): text is Qop => text === 'auth' || text === 'auth-int'

const readChallenge = (from: Challenge['from'], { scheme, parameters }: AuthValue): Challenge | undefined => {
  if (scheme.toLowerCase() !== 'digest') return undefined
  const realm = parameters.get('realm')
  const nonce = parameters.get('nonce')
  const algorithm = algorithmNamed(parameters.get('algorithm') ?? 'MD5')
  const options = parameters.get('qop')
  const qop = (options ?? '')
    .toLowerCase()
    .split(',')
    .map((option) => option.trim())
    .filter(isQop)
  // With qop, a challenge asks for one of its options: none of ours is no answer, not one without qop.
  const isKnown = algorithm !== undefined && (options === undefined || qop.length > 0)
  if (realm === undefined || nonce === undefined || !isKnown) return undefined
  const opaque = parameters.get('opaque')
  const stale = parameters.get('stale')?.toLowerCase() === 'true'
  return { from, realm, nonce, algorithm, qop, stale, ...(opaque !== undefined && { opaque }) }
}

const CHALLENGE_HEADERS: ReadonlyMap<string, Challenge['from']> = new Map([
  ['www-authenticate', 'server'],
  ['proxy-authenticate', 'proxy'],
])

/** Returns the challenges of a response, in order. Skips malformed ones, and schemes, algorithms and qops that we do not know. */
export const challengesOf = ({ headers }: { readonly headers: Headers }): readonly Challenge[] =>
  headers.flatMap(([name, value]) => {
    const from = CHALLENGE_HEADERS.get(name)
    if (from === undefined) return []
    try {
      return parseAuthValues(value).flatMap((auth) => readChallenge(from, auth) ?? [])
    } catch (error) {
      if (error instanceof SipParseError) return []
      throw error
    }
  })

/** Writes the header field of a challenge. */
export const serializeChallenge = (challenge: Challenge): Headers[number] => {
  const { from, realm, nonce, algorithm, qop, stale, opaque } = challenge
  const parameters = [
    `realm=${quote(realm)}`,
    `nonce=${quote(nonce)}`,
    `algorithm=${algorithm}`,
    ...(qop.length > 0 ? [`qop="${qop.join(',')}"`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quote(opaque)}`]),
    ...(stale ? ['stale=true'] : []),
  ]
  const name = from === 'proxy' ? 'proxy-authenticate' : 'www-authenticate'
  return [name, `Digest ${parameters.join(', ')}`]
}
