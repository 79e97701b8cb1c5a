import { headerOf, type SipRequest } from '../message/message.ts'

/** Longest body of an INFO that is looked at. */
const MAX_BODY_BYTES = 256

/** Returns the key of an INFO with `application/dtmf-relay` or `application/dtmf`, as older gateways send keys. */
export function readInfoKey(request: SipRequest): string | undefined {
  const type = (headerOf(request, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (request.body.length > MAX_BODY_BYTES) return undefined
  const text = new TextDecoder().decode(request.body)
  if (type === 'application/dtmf-relay')
    return /^signal\s*=\s*([0-9*#A-D])\s*$/im.exec(text)?.[1]?.toUpperCase()
  return type === 'application/dtmf' ? /^\s*([0-9*#A-D])\s*$/i.exec(text)?.[1]?.toUpperCase() : undefined
}
