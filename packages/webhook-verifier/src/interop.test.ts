import { describe, expect, test } from 'vitest'
import vectors from '../../../interop/webhook-signatures.json' with { type: 'json' }
import { loadForBrowsers } from '../bench/bundle.ts'
import * as library from './index.ts'

const browser = await loadForBrowsers(['createVerifier'])

interface Vector {
  readonly why: string
  readonly secrets: readonly { readonly name: string; readonly text?: string; readonly base64?: string }[]
  readonly body?: string
  readonly body_base64?: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly now_seconds: number
  readonly result: string
  readonly secret_name?: string
  readonly signed_id?: string | null
}

describe.each([
  ['Node', library.createVerifier],
  ['a browser', browser.createVerifier],
])('in %s', (_name, createVerifier) => {
  test.for<Vector>(vectors)('$result: $why', async (vector) => {
    const { body = Buffer.from(vector.body_base64 ?? '', 'base64'), headers, result } = vector
    const secrets = vector.secrets.map(({ name, text, base64 = '' }): [string, library.Secret] => [
      name,
      text ?? Buffer.from(base64, 'base64'),
    ])
    const clock = () => vector.now_seconds * 1000
    const verifier = createVerifier({ secrets: Object.fromEntries(secrets), clock })

    const verified = await verifier.verify(body, headers)
    expect(verified.ok ? 'valid' : verified.code).toBe(result)
    const checked = await verifier.verifySignature(body, headers)
    expect(checked.ok ? 'valid' : checked.code).toBe(result === 'body_not_json' ? 'valid' : result)
    if (vector.result === 'valid')
      expect(checked).toEqual({
        ok: true,
        id: vector.signed_id ?? undefined,
        secretName: vector.secret_name,
      })
  })
})

test('the vectors cover every code that depends only on body, headers, secrets and time', () => {
  const results = new Set(vectors.map(({ result }) => result))
  const codes = Object.keys(library.FAILURE_MESSAGES)
  const withoutOthers = codes.filter((code) => code !== 'replayed' && code !== 'body_not_raw')
  expect(results).toEqual(new Set(['valid', ...withoutOthers]))
})
