/** An account of Telnyx, and how to prove that it is ours. */
export interface TelnyxAccount {
  /** Id of the account, by which the TeXML API names it. */
  readonly accountSid: string
  /** Id of the TeXML application that places the calls. */
  readonly applicationSid: string
  /** Asks the REST API. */
  readonly apiKey: string
  /** Verifies callbacks: the public key of the account, in base64. */
  readonly publicKey: string
  /** Origin and version of the REST API. Default `https://api.telnyx.com/v2`. */
  readonly apiUrl?: string
}
