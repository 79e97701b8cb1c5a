const CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])
/** Codes of Node and OpenSSL for certificates and handshakes. */
const TLS = /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

/** Returns whether no connection to a server could be made, which cannot be due to the request. */
export function isUnreachable(error: Error): boolean {
  const { cause } = error
  if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') return false
  return CODES.has(cause.code) || TLS.test(cause.code)
}
