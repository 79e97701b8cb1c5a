/** An account of Twilio, and how to prove that it is ours. */
export interface TwilioAccount {
  /** Begins with AC. */
  readonly accountSid: string
  /** Verifies callbacks, which Twilio signs with it whatever the REST API is asked with. */
  readonly authToken: string
  /** Asks the REST API instead of the auth token, so that the token itself need not leave this machine. */
  readonly apiKey?: { readonly sid: string; readonly secret: string }
  /** Origin of the REST API. Default `https://api.twilio.com`, which is region US1. */
  readonly apiUrl?: string
}
