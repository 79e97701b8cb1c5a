import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { mountMade } from '@vaani/service-kit/http/ts-rest'
import type { Mount } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CONSOLE_PATH } from '../cookie.ts'
import { buildPages } from './build-pages.ts'
import { findPages, type PagesPlace } from './find-pages.ts'

/** The pages may use the microphone, of which voices are made, and nothing else of the device. */
const PERMISSIONS_POLICY = [
  'microphone=(self)',
  ...['camera', 'display-capture', 'geolocation', 'usb', 'serial', 'hid', 'bluetooth', 'midi', 'payment'].map(
    (feature) => `${feature}=()`,
  ),
].join(', ')

/** The pages may load, and send anything to, nothing but this server. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
}

const WAIT_PATH = `${CONSOLE_PATH}/wait.js`
/** By a script, because a refresh by the page itself does nothing if its address has a fragment, as that of a link has. */
const WAIT = 'setTimeout(() => location.reload(), 1000)'
const NOT_YET = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vaani console</title>
<link rel="icon" href="data:,">
<script src="${WAIT_PATH}"></script>
<p>The console is being built. This page opens it in some seconds.</p>
</html>
`

interface Pages {
  index: Buffer
  /** Files by name, with a brotli form beside each. */
  assets: ReadonlyMap<string, Buffer>
}

async function readPages(folder: string): Promise<Pages> {
  const assets = path.join(folder, 'assets')
  const names = await readdir(assets)
  const files = names.map(async (name) => [name, await readFile(path.join(assets, name))] as const)
  return { index: await readFile(path.join(folder, 'index.html')), assets: new Map(await Promise.all(files)) }
}

/** The pages of the console, which a clone builds when they are first needed. */
export interface ConsolePages {
  /** Returns the pages; undefined while they are built, or if that failed. Begins to build them. */
  current(): Pages | undefined
  /** Returns the pages once they are read or built; undefined if that failed. */
  opened(): Promise<Pages | undefined>
}

export function createPages(
  { log, stopping }: Pick<Services, 'log' | 'stopping'>,
  { folder, buildScript }: PagesPlace = findPages(),
): ConsolePages {
  let pages: Pages | undefined
  let opening: Promise<void> | undefined
  async function tryToOpen(): Promise<Pages> {
    if (buildScript !== null) await buildPages(buildScript, stopping)
    return await readPages(folder)
  }
  async function open(): Promise<void> {
    try {
      // Once more, because another process that built the pages at the same time may have replaced them meanwhile.
      pages = await tryToOpen().catch(tryToOpen)
    } catch (error) {
      if (!stopping.aborted) log.error({ error }, 'The console cannot be served')
    }
  }
  const opened = async (): Promise<Pages | undefined> => {
    await (opening ??= open())
    return pages
  }
  return {
    current() {
      void opened()
      return pages
    },
    opened,
  }
}

/** Serves the pages of the console. */
export const mountPages =
  (served: ConsolePages): Mount =>
  async (app) => {
    const metadata = { ...contract.system.openapi.metadata, addressLimit: 'console_files' } as const
    const servePage = async (_: FastifyRequest, reply: FastifyReply) =>
      reply
        .headers({
          'cache-control': 'no-store',
          'content-security-policy': CONTENT_SECURITY_POLICY,
          'permissions-policy': PERMISSIONS_POLICY,
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
        })
        .type('text/html; charset=utf-8')
        .send(served.current()?.index ?? NOT_YET)
    mountMade(app, { method: 'GET', path: CONSOLE_PATH, metadata }, servePage)
    mountMade(app, { method: 'GET', path: `${CONSOLE_PATH}/*`, metadata }, servePage)
    mountMade(app, { method: 'GET', path: WAIT_PATH, metadata }, async (_, reply) =>
      reply.type('text/javascript; charset=utf-8').send(WAIT),
    )
    mountMade(
      app,
      { method: 'GET', path: `${CONSOLE_PATH}/assets/:name`, metadata },
      async (request, reply) => {
        const name = nameOf(request.params)
        // A page that was open before this server started asks for its files at once.
        const assets = (await served.opened())?.assets
        const plain = assets?.get(name)
        const type = TYPES[path.extname(name)]
        if (plain === undefined || type === undefined)
          throw new ApiError('not_found', 'There is no such file')
        // Every browser that runs these scripts reads brotli.
        const packed = assets?.get(`${name}.br`)
        if (packed !== undefined) reply.header('content-encoding', 'br')
        return reply
          .headers({
            'cache-control': 'public, max-age=31536000, immutable',
            'x-content-type-options': 'nosniff',
          })
          .type(type)
          .send(packed ?? plain)
      },
    )
  }

const nameOf = (params: unknown): string =>
  typeof params === 'object' && params !== null && 'name' in params ? String(params.name) : ''
