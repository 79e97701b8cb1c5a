/** Key and certificate of one side of TLS, in PEM. */
export interface TlsCredentials {
  readonly key: string
  readonly certificate: string
}
