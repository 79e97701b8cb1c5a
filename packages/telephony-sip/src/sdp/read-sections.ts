import { SdpError } from './sdp-error.ts'

/** Longest description that is read. A phone's has less than 1 KiB. */
const MAX_SDP_LENGTH = 16 * 1024
/** Most m= lines of one description. */
const MAX_MEDIA = 16

/** One line of the kinds that matter here: c= and a=. */
export interface SdpLine {
  readonly kind: 'c' | 'a'
  readonly value: string
}

/** An m= line and the lines that belong to it. */
export interface SdpMedia {
  readonly media: string
  readonly port: number
  readonly protocol: string
  readonly formats: readonly string[]
  readonly lines: readonly SdpLine[]
}

export interface SdpSections {
  /** Lines before the first m= line, which hold for all media. */
  readonly session: readonly SdpLine[]
  readonly media: readonly SdpMedia[]
}

/** Returns a decimal number without a sign, or undefined if the text is none or exceeds the maximum. */
export function parseDecimal(text: string, max: number): number | undefined {
  if (!/^\d{1,10}$/v.test(text)) return undefined
  const value = Number(text)
  return value <= max ? value : undefined
}

/** Refused media are written back as they came, so nothing may be in them that ends a line. */
const isPrintable = (token: string): boolean => /^[!-~]+$/v.test(token)

function readMedia(value: string): Omit<SdpMedia, 'lines'> {
  const [media = '', ports = '', protocol = '', ...formats] = value.split(/[ \t]+/v)
  // A number of ports after a slash is for layered encodings (RFC 8866, 5.14); only the first port matters here.
  const port = parseDecimal(ports.split('/', 1)[0] ?? '', 65_535)
  if (port === undefined || formats.length === 0 || ![media, protocol, ...formats].every(isPrintable))
    throw new SdpError('malformed', 'An m= line must have a medium, a port, a protocol and a format')
  return { media, port, protocol, formats }
}

/**
 * Splits a session description (RFC 8866) into its sections. Lines end in CRLF or LF. Skips lines of other kinds, and anything
 * that is not a line.
 *
 * `sdp-transform` was turned down: it turns all that looks like a number into one, keeps only the last of lines that it
 * takes for single, and leaves every check to its caller.
 *
 * @throws SdpError `too_long`, `malformed`
 */
export function readSections(body: string): SdpSections {
  if (body.length > MAX_SDP_LENGTH)
    throw new SdpError('too_long', `A session description may have ${MAX_SDP_LENGTH} characters`)
  const [version, ...rest] = body.split(/\r?\n/v)
  if (version?.trimEnd() !== 'v=0')
    throw new SdpError('malformed', 'A session description must begin with v=0')
  const session: SdpLine[] = []
  const media: (SdpMedia & { readonly lines: SdpLine[] })[] = []
  let lines = session
  for (const line of rest) {
    const kind = line.slice(0, 2)
    const value = line.slice(2).trim()
    if (kind === 'm=') {
      if (media.length === MAX_MEDIA)
        throw new SdpError('too_long', `A session description may have ${MAX_MEDIA} media`)
      lines = []
      media.push({ ...readMedia(value), lines })
    } else if (kind === 'c=') lines.push({ kind: 'c', value })
    else if (kind === 'a=') lines.push({ kind: 'a', value })
  }
  return { session, media }
}

/** Returns the values of all attributes of a name, in order: of `a=ptime:20` that is `20`, of `a=sendrecv` it is empty. */
export function attributesOf(lines: readonly SdpLine[], name: string): string[] {
  const prefix = `${name}:`
  return lines.flatMap(({ kind, value }) => {
    if (kind !== 'a') return []
    if (value === name) return ['']
    return value.startsWith(prefix) ? [value.slice(prefix.length).trim()] : []
  })
}
