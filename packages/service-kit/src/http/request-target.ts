import { isUtf8 } from 'node:buffer'

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i
const ESCAPES = /(?:%[0-9a-f]{2})+|%/gi
/** U+0000, which no parameter accepts. */
const MALFORMED = '%00'

/**
 * Converts the target of a request to a routable path. Drops the origin of a target in absolute form (RFC 9112, section 3.2.2).
 * Replaces escapes that are not UTF-8 by U+0000, so that such a request is refused like any other invalid one: after checking
 * its key, and naming the parameter.
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

/** Checks without an exception per run, because a target may contain thousands of them. */
const isDecodable = (run: string): boolean =>
  run !== '%' && isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex'))
