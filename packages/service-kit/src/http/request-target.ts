import { isUtf8 } from 'node:buffer'

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i
const ESCAPES = /(?:%[0-9a-f]{2})+|%/gi
/** U+0000, which no parameter takes. */
const MALFORMED = '%00'

/**
 * The target of a request as a path that can be routed. The address of a target in absolute form is left out (RFC 9112,
 * section 3.2.2). Escapes that are no UTF-8 become U+0000, so that such a request is refused where any other is: after its
 * key, with the parameter that is at fault.
 */
export function toRoutableTarget(target: string): string {
  if (target.startsWith('/') && !target.includes('%')) return target
  const path = target.replace(ABSOLUTE_FORM, '')
  const rooted = path.startsWith('/') ? path : `/${path}`
  return canDecode(rooted) ? rooted : rooted.replace(ESCAPES, (run) => (isDecodable(run) ? run : MALFORMED))
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

/** Without an exception each, of which a target has room for thousands. */
const isDecodable = (run: string): boolean =>
  run !== '%' && isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex'))
