import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { bundleFile, WITHOUT_WINDOW_PAGES } from '@vaani/browser'

/** Flags for a Chromium that plays sound without a gesture and makes no requests of its own. */
export const FLAGS: readonly string[] = [
  '--no-sandbox',
  WITHOUT_WINDOW_PAGES,
  '--autoplay-policy=no-user-gesture-required',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

export interface Pages {
  readonly url: string
  close(): void
}

/** Serves bundled scripts of this folder by path, and otherwise a page that loads `/harness.js`. `/strict` allows no blobs. */
export async function servePages(options: {
  scripts: Readonly<Record<string, string>>
  /** Returns whether it has responded. */
  respond?: (url: URL, response: ServerResponse) => boolean
}): Promise<Pages> {
  const files = new Map<string, string>()
  for (const [name, file] of Object.entries(options.scripts))
    files.set(name, await bundleFile(path.join(import.meta.dirname, file)))
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const file = files.get(url.pathname)
    if (file !== undefined) return response.setHeader('content-type', 'text/javascript').end(file)
    if (options.respond?.(url, response) === true) return
    if (url.pathname === '/strict') response.setHeader('content-security-policy', "script-src 'self'")
    response.setHeader('content-type', 'text/html').end('<script type="module" src="/harness.js"></script>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
