import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export const CLIENT = { client_id: 'vaani', client_secret: 'secret-of-the-console' }

/** Starts an OpenID provider at which everybody signs in under the name that they type. It knows no client until `allow`. */
export async function startOpenidProvider() {
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  // It listens on a port.
  const { port } = http.address() as AddressInfo
  const issuer = new URL(`http://127.0.0.1:${port}`)
  return {
    issuer,
    /** Knows the console from now on. */
    allow(redirectUri: string): void {
      const provider = new Provider(issuer.href.slice(0, -1), {
        clients: [
          { ...CLIENT, redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_post' },
        ],
        features: { devInteractions: { enabled: true } },
        cookies: { keys: ['of a test'] },
      })
      http.on('request', provider.callback())
    },
    async [Symbol.asyncDispose](): Promise<void> {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

/** Signs in at the provider as a browser would, and returns the address to which it sends the browser back. */
export async function signInAtProvider(url: string, name: string): Promise<URL> {
  const cookies = new Map<string, string>()
  const { origin } = new URL(url)
  async function go(target: string, form?: Record<string, string>): Promise<Response> {
    const response = await fetch(target, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';', 1)
      const [key = '', value = ''] = pair.split(/=(.*)/s)
      cookies.set(key, value)
    }
    return response
  }
  let at = url
  for (let step = 0; step < 12; step++) {
    const response = await go(at)
    const location = response.headers.get('location')
    if (location !== null) {
      const next = new URL(location, origin)
      if (next.origin !== origin) return next
      at = next.href
      continue
    }
    // A form: first of who one is, then of what one allows.
    const isLogin = (await response.text()).includes('name="login"')
    const answer = await go(
      at,
      isLogin ? { prompt: 'login', login: name, password: 'any' } : { prompt: 'consent' },
    )
    at = new URL(answer.headers.get('location') ?? '/', origin).href
  }
  throw new Error('The provider does not send the browser back')
}
