const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

/**
 * Writes TwiML that connects both directions of a call's audio to a WebSocket. The call ends when the socket does, because no
 * instruction follows. The token is a parameter because Twilio takes no query in the URL.
 *
 * @see https://www.twilio.com/docs/voice/twiml/stream
 */
export const connectStream = (url: string, token: string): string =>
  `<Response><Connect><Stream url="${escape(url)}"><Parameter name="token" value="${escape(token)}"/></Stream></Connect></Response>`
