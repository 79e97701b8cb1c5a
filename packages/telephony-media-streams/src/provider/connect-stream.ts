const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

/**
 * Writes TwiML, or what a provider has like it, that connects both directions of a call's audio to a WebSocket. The call ends when the socket
 * does, because no instruction follows. The token is a parameter because Twilio takes no query in the URL.
 *
 * @see https://www.twilio.com/docs/voice/twiml/stream
 * @see https://developers.telnyx.com/docs/voice/programmable-voice/texml-verbs/connect
 */
export function connectStream(options: {
  readonly url: string
  readonly token: string
  /** More attributes of `<Stream>`. */
  readonly attributes?: Readonly<Record<string, string>>
}): string {
  const { url, token, attributes = {} } = options
  const written = Object.entries({ url, ...attributes }).map(([name, value]) => ` ${name}="${escape(value)}"`)
  return `<Response><Connect><Stream${written.join('')}><Parameter name="token" value="${escape(token)}"/></Stream></Connect></Response>`
}
