import { skipByteOrderMark } from '@vaani/service-kit/byte-order-mark'
import type { HeldAnswer } from '../exchange.ts'

const V2_FIELDS = /\b(front_image|back_image|liveness_video)_b64\b/g

/** Returns a refusal of version 2 as version 1 would give it: its fields have the names of the parts of a form. */
export function nameV1Parts(answer: HeldAnswer): HeldAnswer {
  const text = rename(answer.body)
  if (text === null) return answer
  const body = Buffer.from(text)
  const rawHeaders: string[] = ['Content-Length', String(body.length)]
  for (let i = 0; i < answer.rawHeaders.length; i += 2) {
    const [name = '', value = ''] = [answer.rawHeaders[i], answer.rawHeaders[i + 1]]
    if (name.toLowerCase() !== 'content-length') rawHeaders.push(name, value)
  }
  return { ...answer, rawHeaders, body }
}

/** Null if there is nothing to change, or the body is not JSON as it stands. */
function rename(body: Buffer): string | null {
  try {
    const before = skipByteOrderMark(body.toString('utf8'))
    const after = JSON.stringify(JSON.parse(before), (_, value: unknown) =>
      typeof value === 'string' ? value.replaceAll(V2_FIELDS, '$1') : value,
    )
    return V2_FIELDS.test(before) ? after : null
  } catch {
    return null
  } finally {
    V2_FIELDS.lastIndex = 0
  }
}
