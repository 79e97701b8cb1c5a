import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Computes the X-Twilio-Signature of a POST: HMAC-SHA1, with the auth token, of the URL followed by each parameter's name and value, sorted
 * by name. A name that comes twice has its values sorted, each once.
 *
 * @see https://www.twilio.com/docs/usage/webhooks/webhooks-security
 */
export function signatureOf(authToken: string, url: string, parameters: URLSearchParams): string {
  const hmac = createHmac('sha1', authToken).update(url)
  const names = [...new Set(parameters.keys())].toSorted()
  for (const name of names)
    for (const value of [...new Set(parameters.getAll(name))].toSorted()) hmac.update(name).update(value)
  return hmac.digest('base64')
}

/** Returns whether the signature is that of the callback. Takes as long for a wrong one, wherever it differs. */
export function isSigned(
  authToken: string,
  callback: { readonly url: string; readonly signature: string; readonly parameters: URLSearchParams },
): boolean {
  const given = Buffer.from(callback.signature)
  const matches = urlForms(callback.url).map((url) => {
    const expected = Buffer.from(signatureOf(authToken, url, callback.parameters))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return matches.includes(true)
}

/** Twilio signs the URL sometimes with its port and sometimes without, so its own libraries accept both. */
function urlForms(address: string): readonly string[] {
  const url = new URL(address)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const rest = `${url.pathname}${url.search}`
  return [`${url.protocol}//${url.hostname}${rest}`, `${url.protocol}//${url.hostname}:${port}${rest}`]
}
