import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import type { Carrier } from '@vaani/telephony'
import { createSipCarrier } from '@vaani/telephony-sip'
import { CARRIERS_VARIABLE, type SipEntry } from './carriers-file.ts'
import { readEntryFile, readSecret } from './read-entry-file.ts'

/** Opens the trunk of an entry. @throws ConfigError if its password, or its certificate, cannot be read */
export async function openSipCarrier(options: {
  name: string
  entry: SipEntry
  /** Whether numbers of the file are reached by it. */
  takesCalls: boolean
  /** Folder of the file with the carriers. */
  folder: string
  onCrash: (error: Error) => void
  onTrace?: (entry: string) => void
}): Promise<Carrier> {
  const { name, entry, takesCalls, onCrash, onTrace } = options
  const { host, port, transport, username, realm, domain, register, srtp } = entry
  const read = async (member: FileMember): Promise<string | undefined> => {
    const file = entry[member]
    if (file === undefined) return undefined
    return (member === 'password_file' ? readSecret : readEntryFile)(options, member, file)
  }
  const password = await read('password_file')
  const authorities = await read('certificate_authority_file')
  if (authorities !== undefined) checkAuthorities(name, authorities)
  const certificate = await read('client_certificate_file')
  const key = await read('client_key_file')
  if (certificate !== undefined && key !== undefined) checkPair(name, certificate, key)
  return createSipCarrier({
    name,
    onCrash,
    ...(onTrace && { onTrace }),
    trunk: {
      host,
      transport,
      ...(port !== undefined && { port }),
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(realm !== undefined && { realm }),
      ...(domain !== undefined && { domain }),
      ...(register !== undefined && { register }),
      ...(srtp !== undefined && { srtp }),
      ...(entry.caller_id_header !== undefined && { callerIdHeader: entry.caller_id_header }),
      ...(entry.keep_alive !== undefined && { keepAlive: entry.keep_alive }),
      ...(takesCalls && { inbound: { from: entry.inbound_from ?? [] } }),
    },
    ...(authorities !== undefined && { certificateAuthorities: [authorities] }),
    ...(certificate !== undefined && key !== undefined && { clientCertificate: { certificate, key } }),
    ...(entry.local_address !== undefined && { localAddress: entry.local_address }),
    ...(entry.advertised_address !== undefined && { advertisedAddress: entry.advertised_address }),
    ...(entry.local_port !== undefined && { localPort: entry.local_port }),
    ...(entry.media_ports !== undefined && { mediaPorts: entry.media_ports }),
    ...(entry.codecs !== undefined && { codecs: entry.codecs }),
  })
}

type FileMember =
  | 'password_file'
  | 'certificate_authority_file'
  | 'client_certificate_file'
  | 'client_key_file'

/** Otherwise each call would end as unreachable, as with the next. */
function checkAuthorities(name: string, pem: string): void {
  if (!(pem.match(CERTIFICATE) ?? ['']).every(isCertificate))
    throw new ConfigError(
      `${CARRIERS_VARIABLE} carriers.${name}: certificate_authority_file must have certificates in PEM`,
    )
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).fingerprint256 !== ''
  } catch {
    return false
  }
}

/** Otherwise each call would end as unreachable. */
function checkPair(name: string, cert: string, key: string): void {
  try {
    createSecureContext({ cert, key })
  } catch {
    throw new ConfigError(
      `${CARRIERS_VARIABLE} carriers.${name}: client_certificate_file and client_key_file must be a pair in PEM`,
    )
  }
}
