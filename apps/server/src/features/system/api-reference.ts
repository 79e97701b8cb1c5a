import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { contract } from '@vaani/contracts'
import { serveMade } from '@vaani/service-kit/http/inner/serve-made'
import { mountMade } from '@vaani/service-kit/http/ts-rest'
import type { Mount } from '@vaani/service-kit/service/define-feature'

const PAGE = '/docs'
const SCRIPT = '/docs/page.js'
/** Media of fictitious persons, to try identity verification with. */
const SPECIMENS = {
  'card-front.jpg': 'image/jpeg',
  'card-back.jpg': 'image/jpeg',
  'liveness.mp4': 'video/mp4',
}

/** Prevents the page from loading anything from, or sending anything to, other origins, whatever its viewer does. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  'media-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

// Links are relative, so the page works behind a proxy that adds a prefix.
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="icon" href="data:,">
<script src="docs/page.js"></script>
</head>
<body>
<rapi-doc spec-url="openapi.json" show-header="false" load-fonts="false"
  regular-font="system-ui, sans-serif" mono-font="ui-monospace, monospace" schema-style="table"
  allow-spec-url-load="false" allow-spec-file-load="false" allow-server-selection="false"
  fill-request-fields-with-example="true" persist-auth="false"></rapi-doc>
<noscript>This page needs JavaScript. The same reference as an OpenAPI document: <a href="openapi.json">openapi.json</a></noscript>
</body>
</html>
`

const start = `
addEventListener('DOMContentLoaded', () => {
  const viewer = document.querySelector('rapi-doc')
  const follow = (query, attribute, matched, otherwise) => {
    const media = matchMedia(query)
    const choose = () => viewer.setAttribute(attribute, media.matches ? matched : otherwise)
    choose()
    media.addEventListener('change', choose)
  }
  follow('(prefers-color-scheme: dark)', 'theme', 'dark', 'light')
  // A narrow page has no room for the list of routes.
  follow('(min-width: 768px)', 'render-style', 'focused', 'read')
  viewer.addEventListener('spec-loaded', ({ detail }) => {
    document.title = detail.info.title + ' API reference'
  })
})
`

/** Finds the viewer: beside the bundle in the published package, in its own package in a clone. */
function findViewer(): URL {
  const bundled = new URL('rapidoc-min.js', import.meta.url)
  return existsSync(bundled) ? bundled : new URL(import.meta.resolve('rapidoc/dist/rapidoc-min.js'))
}

/** Serves the API reference as a page on which routes can be tried. `/` redirects to it. */
export const mountReference: Mount = async (app) => {
  const { metadata } = contract.system.openapi
  const servePage = serveMade('text/html; charset=utf-8', () => Buffer.from(page))
  const script = async () => Buffer.concat([await readFile(findViewer()), Buffer.from(start)])
  mountMade(app, { method: 'GET', path: PAGE, metadata }, (request, reply) =>
    servePage(request, reply.header('content-security-policy', CONTENT_SECURITY_POLICY)),
  )
  mountMade(
    app,
    { method: 'GET', path: SCRIPT, metadata },
    serveMade('text/javascript; charset=utf-8', script),
  )
  for (const [name, type] of Object.entries(SPECIMENS)) {
    const specimen = new URL(import.meta.resolve(`@vaani/identity-checks/specimens/${name}`))
    const handler = serveMade(type, () => readFile(specimen))
    mountMade(app, { method: 'GET', path: `/docs/specimens/${name}`, metadata }, handler)
  }
  mountMade(app, { method: 'GET', path: '/', metadata }, async (_, reply) => reply.redirect('docs', 302))
}
