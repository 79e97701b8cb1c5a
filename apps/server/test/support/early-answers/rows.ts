import type { ErrorCode } from '@vaani/contracts'

/** A request that the server answers before the body has arrived. */
export interface EarlyAnswer {
  readonly name: string
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** The key it carries. */
  readonly key: 'good' | 'bad' | 'without scope' | 'over its rate'
  readonly head?: string
  readonly tail?: string
  /** Body sizes to try. */
  readonly fillBytes: readonly number[]
  readonly status: number
  /** Null for a success. */
  readonly code: ErrorCode | null
}

const KIB = 1024
const MIB = 1024 * KIB
/** Small enough to be drained, too large to be drained, and too large for the buffers of a connection. */
const SIZES = [20 * KIB, MIB, 12 * MIB]

const V1 = '/identity/kyc/v1'
const V2 = '/identity/kyc/v2'
const JSON_TYPE = { 'content-type': 'application/json' }
const BOUNDARY = 'b0undary'
const FORM_TYPE = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
const part = (name: string, file = true): string =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file ? '; filename="f"' : ''}\r\n\r\n`
const END = `\r\n--${BOUNDARY}--\r\n`

export const earlyAnswers: readonly EarlyAnswer[] = [
  ...(
    [
      ['a bad key', 'bad', 401, 'unauthorized'],
      ['a key without the scope', 'without scope', 403, 'forbidden'],
    ] as const
  ).flatMap(([name, key, status, code]) =>
    [
      {
        name: `version 2 with ${name}`,
        path: V2,
        headers: JSON_TYPE,
        head: '{"front_image_b64":"',
        tail: '"}',
      },
      { name: `version 1 with ${name}`, path: V1, headers: FORM_TYPE, head: part('front_image'), tail: END },
      { name: `a call with ${name}`, path: '/agent/calls', headers: JSON_TYPE },
    ].map((row) => ({ ...row, key, status, code, fillBytes: SIZES })),
  ),
  {
    name: 'a request over its rate',
    path: '/agent/calls',
    headers: JSON_TYPE,
    key: 'over its rate',
    fillBytes: SIZES,
    status: 429,
    code: 'rate_limit_exceeded',
  },
  {
    name: 'a content type that no route accepts',
    path: '/agent/calls',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    key: 'good',
    fillBytes: [20 * KIB],
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    name: 'version 2 as text',
    path: V2,
    headers: { 'content-type': 'text/plain' },
    key: 'good',
    fillBytes: SIZES,
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    name: 'version 1 as JSON',
    path: V1,
    headers: JSON_TYPE,
    key: 'good',
    fillBytes: SIZES,
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    name: 'an unknown path',
    path: '/nowhere',
    headers: JSON_TYPE,
    key: 'good',
    fillBytes: SIZES,
    status: 404,
    code: 'not_found',
  },
  {
    name: 'an unsupported method',
    method: 'PUT',
    path: '/agent/calls',
    headers: JSON_TYPE,
    key: 'good',
    fillBytes: SIZES,
    status: 405,
    code: 'method_not_allowed',
  },
  {
    name: 'a malformed path with a bad key',
    path: '/agent/calls/%zz/cancel',
    headers: JSON_TYPE,
    key: 'bad',
    fillBytes: SIZES,
    status: 401,
    code: 'unauthorized',
  },
  {
    name: 'a call over the limit',
    path: '/agent/calls',
    headers: JSON_TYPE,
    key: 'good',
    head: '{"to":"',
    tail: '"}',
    fillBytes: [300 * KIB, MIB, 12 * MIB],
    status: 413,
    code: 'payload_too_large',
  },
  {
    name: 'a body that the route ignores',
    method: 'GET',
    path: '/healthz',
    key: 'good',
    fillBytes: SIZES,
    status: 200,
    code: null,
  },
  {
    name: 'version 2, invalid base64',
    path: V2,
    headers: JSON_TYPE,
    key: 'good',
    head: '{"front_image_b64":"!!!!',
    tail: '"}',
    fillBytes: SIZES,
    status: 400,
    code: 'invalid_request',
  },
  {
    name: 'version 2, an empty artifact',
    path: V2,
    headers: JSON_TYPE,
    key: 'good',
    head: '{"front_image_b64":"","liveness_video_b64":"',
    tail: '"}',
    fillBytes: SIZES,
    status: 400,
    code: 'missing_artifact',
  },
  {
    name: 'version 2, an image over the limit',
    path: V2,
    headers: JSON_TYPE,
    key: 'good',
    head: '{"front_image_b64":"',
    tail: '"}',
    fillBytes: [24 * MIB],
    status: 413,
    code: 'payload_too_large',
  },
  {
    name: 'version 2, another field over the limit',
    path: V2,
    headers: JSON_TYPE,
    key: 'good',
    head: '{"external_id":"',
    tail: '"}',
    fillBytes: [300 * KIB, 12 * MIB],
    status: 413,
    code: 'payload_too_large',
  },
  {
    name: 'version 1, an unknown part',
    path: V1,
    headers: FORM_TYPE,
    key: 'good',
    head: part('selfie'),
    tail: END,
    fillBytes: SIZES,
    status: 400,
    code: 'invalid_request',
  },
  {
    name: 'version 1, an empty part',
    path: V1,
    headers: FORM_TYPE,
    key: 'good',
    head: `${part('front_image')}\r\n${part('back_image')}`,
    tail: END,
    fillBytes: SIZES,
    status: 400,
    code: 'missing_artifact',
  },
  {
    name: 'version 1, text instead of a file',
    path: V1,
    headers: FORM_TYPE,
    key: 'good',
    head: `${part('front_image', false)}no file\r\n${part('back_image')}`,
    tail: END,
    fillBytes: SIZES,
    status: 400,
    code: 'missing_artifact',
  },
  {
    name: 'version 1, an image over the limit',
    path: V1,
    headers: FORM_TYPE,
    key: 'good',
    head: part('front_image'),
    tail: END,
    fillBytes: [18 * MIB],
    status: 413,
    code: 'payload_too_large',
  },
]
