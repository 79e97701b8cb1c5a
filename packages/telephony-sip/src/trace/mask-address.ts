import { serializeHostPort } from '../message/host-port.ts'
import { type NameAddr, parseNameAddr } from '../message/name-addr.ts'
import { SipParseError } from '../message/sip-parse-error.ts'
import { parseUri, type SipUri, type TelUri } from '../message/uri.ts'
import { parseVia, type Via } from '../message/via.ts'
import { LONGEST_VALUE, MASK, maskHost, maskUser, showIf } from './mask.ts'

const TOKEN = /^[\w.@:~!*+-]{0,128}$/
/** Parameters that say how a message travels. */
const SHOWN_OF_URI: ReadonlySet<string> = new Set(['lr', 'method', 'ob', 'transport', 'user'])
const SHOWN_OF_ADDRESS: ReadonlySet<string> = new Set(['expires', 'q', 'tag'])
const SHOWN_OF_VIA: ReadonlySet<string> = new Set(['alias', 'branch', 'keep', 'received', 'rport'])

/** Returns undefined for what cannot be read. */
function read<Value>(parse: (text: string) => Value, text: string): Value | undefined {
  if (text.length > LONGEST_VALUE) return undefined
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof SipParseError) return undefined
    throw error
  }
}

const showParameters = (parameters: NameAddr['parameters'], shown: ReadonlySet<string>): string =>
  parameters
    .filter(([name]) => shown.has(name.toLowerCase()))
    .map(([name, value]) => `;${name.toLowerCase()}${value === '' ? '' : `=${showParameter(name, value)}`}`)
    .join('')

const showParameter = (name: string, value: string): string =>
  name.toLowerCase() === 'received' ? maskHost(value) : showIf(TOKEN, value)

/** Shows where a URI leads, without whom it names. */
export function maskUri(text: string): string {
  const uri: SipUri | TelUri | undefined = read(parseUri, text)
  if (uri === undefined) return MASK
  if (uri.scheme === 'tel') return `tel:${maskUser(uri.number)}`
  const { scheme, user, host, port, parameters } = uri
  const place = serializeHostPort({ host: maskHost(host), ...(port !== undefined && { port }) })
  return `${scheme}:${user === undefined ? '' : `${maskUser(user)}@`}${place}${showParameters(parameters, SHOWN_OF_URI)}`
}

/** Shows the URI of an address, and the parameters that tell its dialog. */
export function maskAddress(value: string): string {
  if (value === '*') return value
  const address: NameAddr | undefined = read(parseNameAddr, value)
  if (address === undefined) return MASK
  const { displayName, uri, parameters } = address
  return `${displayName === undefined ? '' : `"${MASK}" `}<${maskUri(uri)}>${showParameters(parameters, SHOWN_OF_ADDRESS)}`
}

/** Shows by which way a message came. */
export function maskVia(value: string): string {
  const via: Via | undefined = read(parseVia, value)
  if (via === undefined) return MASK
  const place = serializeHostPort({ ...via, host: maskHost(via.host) })
  return `SIP/2.0/${showIf(/^[A-Z]{2,5}$/, via.transport)} ${place}${showParameters(via.parameters, SHOWN_OF_VIA)}`
}
