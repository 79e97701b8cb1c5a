import { expect, test } from 'vitest'
import { answerChallenge, type AnswerRequest } from './answer-challenge.ts'
import { DIGEST_ALGORITHMS } from './algorithms.ts'
import { challengesOf, serializeChallenge, type Challenge } from './challenge.ts'
import { computeResponse } from './compute-response.ts'
import { verifyAnswer } from './verify-answer.ts'

const NO_BODY = new Uint8Array()

/** RFC 2617, 3.5. */
const RFC_2617 = {
  username: 'Mufasa',
  realm: 'testrealm@host.com',
  password: 'Circle Of Life',
  nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
  qop: 'auth',
  nonceCount: '00000001',
  clientNonce: '0a4f113b',
  method: 'GET',
  uri: '/dir/index.html',
  body: NO_BODY,
} as const

/** RFC 7616, 3.9.1. */
const RFC_7616_1 = {
  ...RFC_2617,
  realm: 'http-auth@example.org',
  password: 'Circle of Life',
  nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  clientNonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
} as const

/** RFC 7616, 3.9.2. */
const RFC_7616_2 = {
  ...RFC_2617,
  username: 'J\u00E4s\u00F8n Doe',
  realm: 'api@example.org',
  password: 'Secret, or not?',
  nonce: '5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK',
  clientNonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v',
  uri: '/doe.json',
} as const

test('computes the vectors of RFC 2617, 3.5 and RFC 7616, 3.9', () => {
  expect(computeResponse({ ...RFC_2617, algorithm: 'MD5' })).toBe('6629fae49393a05397450978507c4ef1')
  expect(computeResponse({ ...RFC_7616_1, algorithm: 'MD5' })).toBe('8ca523f5e9506fed4657c9700eebdbec')
  expect(computeResponse({ ...RFC_7616_1, algorithm: 'SHA-256' })).toBe(
    '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
  )
  // As corrected by erratum 4897: the RFC printed a truncated SHA-512, which is not SHA-512/256.
  expect(computeResponse({ ...RFC_7616_2, algorithm: 'SHA-512-256' })).toBe(
    '3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5',
  )
})

const challenge: Challenge = {
  from: 'proxy',
  realm: 'trunk.example',
  nonce: 'n1',
  algorithm: 'SHA-256',
  qop: ['auth'],
  stale: false,
}

const request: AnswerRequest = {
  challenges: [challenge],
  method: 'INVITE',
  uri: 'sip:+9779812345678@trunk.example',
  body: new TextEncoder().encode('v=0\r\n'),
  username: 'line"1\\',
  password: 's3cret',
  nonceCount: 10,
  clientNonce: 'c0ffee',
}

const responseWith = (...values: readonly string[]) => ({
  headers: values.map((value) => ['www-authenticate', value] as const),
})

test('reads what a challenge may hold', () => {
  expect(
    challengesOf(
      responseWith(
        String.raw`digest  realm = "a, \"b\"" , nonce="n,1",opaque="", stale=TRUE, algorithm=sha-256-SESS, qop="auth-int, auth,token"`,
      ),
    ),
  ).toEqual([
    {
      from: 'server',
      realm: 'a, "b"',
      nonce: 'n,1',
      algorithm: 'SHA-256-sess',
      qop: ['auth-int', 'auth'],
      stale: true,
      opaque: '',
    },
  ])
})

test('reads past a trailing comma', () => {
  expect(challengesOf(responseWith('Digest realm="a", nonce="1",'))).toHaveLength(1)
})

test('reads several challenges of one response, in one field or in several', () => {
  const found = challengesOf({
    headers: [
      ['www-authenticate', 'Digest realm="a", nonce="1", Basic realm="b", Digest realm="c", nonce="2"'],
      ['proxy-authenticate', 'Digest realm="d", nonce="3", algorithm=SHA-256'],
      ['authorization', 'Digest realm="e", nonce="4"'],
    ],
  })
  expect(found.map(({ from, realm }) => [from, realm])).toEqual([
    ['server', 'a'],
    ['server', 'c'],
    ['proxy', 'd'],
  ])
})

test.each([
  ['another scheme', 'Basic realm="a"'],
  ['no nonce', 'Digest realm="a"'],
  ['an unknown algorithm', 'Digest realm="a", nonce="1", algorithm=SHA-1'],
  ['only unknown qops', 'Digest realm="a", nonce="1", qop="token"'],
  ['an open quote', 'Digest realm="a", nonce="1'],
  ['a parameter twice', 'Digest realm="a", realm="b", nonce="1"'],
  ['nothing', ''],
])('skips a challenge with %s', (_name, value) => {
  expect(challengesOf(responseWith(value))).toEqual([])
})

test('answers the strongest algorithm of its realm', () => {
  const challenges = [
    { ...challenge, algorithm: 'MD5' },
    { ...challenge, algorithm: 'SHA-256' },
    { ...challenge, realm: 'other', algorithm: 'SHA-512-256' },
  ] as const
  expect(answerChallenge({ ...request, challenges })?.challenge).toBe(challenges[1])
  expect(answerChallenge({ ...request, challenges, realm: 'other' })?.challenge).toBe(challenges[2])
})

test('never answers another realm', () => {
  expect(answerChallenge({ ...request, realm: 'Trunk.example' })).toBeUndefined()
  expect(answerChallenge({ ...request, challenges: [] })).toBeUndefined()
})

test('quotes what it repeats, and never lets a value leave its quotes', () => {
  const hostile = { ...challenge, realm: 'a", uri="sip:evil', opaque: String.raw`\"` }
  const [name, value] = answerChallenge({ ...request, challenges: [hostile] })!.header
  expect(name).toBe('proxy-authorization')
  expect(value).toContain(String.raw`username="line\"1\\", realm="a\", uri=\"sip:evil", nonce="n1"`)
  expect(value).toContain(String.raw`opaque="\\\""`)
  expect(value).toContain('qop=auth, nc=0000000a')
})

const qops: readonly Challenge['qop'][] = [[], ['auth'], ['auth-int'], ['auth-int', 'auth']]
const variants = DIGEST_ALGORITHMS.flatMap((algorithm) =>
  qops.map(
    (qop) => [`${algorithm} ${qop.join('+') || 'without qop'}`, { ...challenge, algorithm, qop }] as const,
  ),
)

test.each(variants)('both halves agree on %s, and on nothing else', (_name, issued) => {
  const [, written] = serializeChallenge(issued)
  const challenges = challengesOf({ headers: [['proxy-authenticate', written]] })
  expect(challenges).toEqual([issued])
  const { header } = answerChallenge({ ...request, challenges })!
  const check = { ...request, challenge: issued, value: header[1] }
  expect(verifyAnswer(check)).toEqual({ nonceCount: issued.qop.length === 0 ? 0 : 10 })
  expect(verifyAnswer({ ...check, password: 's3creT' })).toBeUndefined()
  expect(verifyAnswer({ ...check, username: 'other' })).toBeUndefined()
  expect(verifyAnswer({ ...check, method: 'BYE' })).toBeUndefined()
  expect(verifyAnswer({ ...check, uri: 'sip:+977981@trunk.example' })).toBeUndefined()
  expect(verifyAnswer({ ...check, challenge: { ...issued, nonce: 'n2' } })).toBeUndefined()
  expect(verifyAnswer({ ...check, challenge: { ...issued, opaque: 'o' } })).toBeUndefined()
  const coversBody = issued.qop.length === 1 && issued.qop[0] === 'auth-int'
  expect(verifyAnswer({ ...check, body: NO_BODY }) === undefined).toBe(coversBody)
})

test('an answer without qop, or with half of one, does not satisfy a challenge that has it', () => {
  const [, bare] = answerChallenge({ ...request, challenges: [{ ...challenge, qop: [] }] })!.header
  expect(verifyAnswer({ ...request, challenge, value: bare })).toBeUndefined()
  const [, full] = answerChallenge(request)!.header
  expect(verifyAnswer({ ...request, challenge, value: full.replace('nc=0000000a', 'nc=a') })).toBeUndefined()
  expect(verifyAnswer({ ...request, challenge, value: full.replace('Digest', 'Basic') })).toBeUndefined()
  expect(verifyAnswer({ ...request, challenge, value: 'Digest "' })).toBeUndefined()
})
