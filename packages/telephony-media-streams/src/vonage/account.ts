/** An account of Vonage, and how to prove that it is ours. */
export interface VonageAccount {
  /** Id of the application that places the calls. */
  readonly applicationId: string
  /** Private key of the application in PEM. Asks the Voice API. */
  readonly privateKey: string
  /** Signature secret of the account. Verifies webhooks. */
  readonly signatureSecret: string
  /** Origin of the Voice API. Default `https://api.nexmo.com`. */
  readonly apiUrl?: string
}
