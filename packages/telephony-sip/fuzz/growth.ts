import { parseAuthValues } from '../src/digest/auth-parameters.ts'
import { createMessageReader } from '../src/message/message-reader.ts'
import { parseNameAddr } from '../src/message/name-addr.ts'
import { parseMessage } from '../src/message/parse-message.ts'
import { SipParseError } from '../src/message/sip-parse-error.ts'
import { parseUri, serializeUri } from '../src/message/uri.ts'
import { parseVia } from '../src/message/via.ts'
import { TRACES } from '../test/messages/traces.ts'
import { wire } from '../test/messages/wire.ts'
import { startCounting } from './count-steps.ts'

const START = `OPTIONS sip:a@b.example SIP/2.0
Via: SIP/2.0/UDP a.example;branch=z9hG4bKx
From: <sip:a@b.example>;tag=1
To: <sip:a@b.example>
Call-ID: 1
CSeq: 1 OPTIONS
`

/** Repeats a piece up to a number of characters. */
const fill = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length))

const datagram = (write: (size: number) => string) => (size: number) => {
  const bytes = wire(write(size))
  return () => parseMessage(bytes)
}

const text = (parse: (value: string) => unknown, write: (size: number) => string) => (size: number) => {
  const value = write(size)
  return () => parse(value)
}

const byteByByte = (write: (size: number) => string) => (size: number) => {
  const bytes = wire(write(size))
  return () => {
    const reader = createMessageReader()
    for (const byte of bytes) reader.push(Uint8Array.of(byte))
  }
}

const invite = new TextDecoder().decode(TRACES['acknowledgement'])

/** Inputs that would cost a careless parser more than their length, by what they repeat. */
const FAMILIES: Readonly<Record<string, (size: number) => () => unknown>> = {
  'header fields': datagram((size) => `${START}${fill('X: a\n', size)}\n`),
  'values of a list': datagram((size) => `${START}Allow: ${fill('a,', size)}\n\n`),
  'contacts of a list': datagram((size) => `${START}Contact: ${fill('<sip:a@b.example>,', size)}\n\n`),
  'continuation lines': datagram((size) => `${START}X: a${fill('\n b', size)}\n\n`),
  'a long value': datagram((size) => `${START}X: ${fill('a', size)}\n\n`),
  'spaces around a value': datagram((size) => `${START}X: ${fill(' ', size)}b${fill(' ', size)}\n\n`),
  'spaces in a list': datagram((size) => `${START}Allow: ${fill(' ', size)},${fill(' ', size)}b\n\n`),
  'line ends before a message': datagram((size) => `${fill('\n', size)}${START}\n`),
  'a head without end': datagram((size) => `${START}${fill('X: a\n', size)}`),
  'a body': datagram((size) => `${START}\n${fill('a', size)}`),
  'digits of a length': datagram((size) => `${START}l: ${fill('0', size)}1\n\na`),
  'a URI on the line': datagram((size) => START.replace('a@', `${fill('%41', size)}@`) + '\n'),
  'open quotes': datagram((size) => `${START}Contact: ${fill('"<', size)}\n\n`),
  'backslashes in quotes': text(parseNameAddr, (size) => `"${fill(String.raw`\"`, size)}" <sip:a@b.example>`),
  'a quote that does not end': text(parseNameAddr, (size) => `"${fill('\\', size)}`),
  'parameters of an address': text(parseNameAddr, (size) => `<sip:a@b.example>${fill(';a="b"', size)}`),
  'parameters of a Via': text(parseVia, (size) => `SIP/2.0/UDP a.example${fill(';a=b', size)}`),
  'slashes and spaces in a Via': text(parseVia, (size) => `SIP/2.0/${fill(' /', size)}`),
  'parameters of a URI': text(parseUri, (size) => `sip:a@b.example${fill(';a=%41', size)}`),
  'headers of a URI': text(parseUri, (size) => `sip:a@b.example?${fill('a=b&', size)}a=b`),
  'a host name': text(parseUri, (size) => `sip:${fill('a.', size)}`),
  'an IPv6 address': text(parseUri, (size) => `sip:[${fill('1:', size)}]`),
  'a URI to write': text(
    (value) => serializeUri({ scheme: 'sip', user: value, host: 'a.example', parameters: [], headers: [] }),
    (size) => fill('\u00E9@', size),
  ),
  'parameters of a challenge': text(parseAuthValues, (size) =>
    Array.from({ length: Math.ceil(size / 8) }, (_, index) => `a${index}="b"`).join(','),
  ),
  'schemes of a challenge': text(parseAuthValues, (size) => fill('Digest a="b",', size) + 'c=d'),
  'a head, byte by byte': byteByByte((size) => `${START}X: ${fill('a', size)}\nl: 0\n\n`),
  'a body, byte by byte': byteByByte((size) => `${START}l: ${size}\n\n${fill('a', size)}`),
  'pings, byte by byte': byteByByte((size) => fill('\n\n', size)),
  'messages in one chunk': (size) => {
    const bytes = wire(fill(invite, size))
    return () => createMessageReader().push(bytes)
  },
}

const SIZES = [512, 1024, 2048, 4096, 8192, 16_384, 32_768] as const

/** Most that steps may grow if an input doubles: 2, with room for what grows by leaps, such as buffers. */
const MAX_RATIO = 2.3
/** Below so many steps, constant costs hide how they grow. */
const MIN_STEPS = 500

export interface Growth {
  readonly family: string
  /** Steps by size. */
  readonly steps: readonly number[]
  /** Highest growth between a size and its double. */
  readonly ratio: number
  readonly isLinear: boolean
}

const ignoreRefusal = (run: () => unknown) => () => {
  try {
    run()
  } catch (error) {
    if (!(error instanceof SipParseError)) throw error
  }
}

/** Measures how the steps of each family grow with its size. */
export const measureGrowth = async (): Promise<readonly Growth[]> => {
  await using counter = await startCounting()
  const growths: Growth[] = []
  for (const [family, make] of Object.entries(FAMILIES)) {
    const steps: number[] = []
    for (const size of SIZES) steps.push(await counter.count(ignoreRefusal(make(size))))
    const ratios = steps.slice(1).map((count, index) => count / Math.max(MIN_STEPS, steps[index] ?? 0))
    const ratio = Math.max(...ratios)
    growths.push({ family, steps, ratio, isLinear: ratio <= MAX_RATIO })
  }
  return growths
}
