import { html, Markup } from './html.ts'
import { LIVE_SCRIPT } from './live-script.ts'
import { sourceHash, STYLE, styleElement } from './style.ts'

// Not inside the template: the policy has the hash of the exact text.
const scriptElement = new Markup(`<script>${LIVE_SCRIPT}</script>`)

/** Prevents the page from running, loading or sending anything but its own. */
export const LIVE_POLICY = [
  "default-src 'none'",
  `script-src ${sourceHash(LIVE_SCRIPT)}`,
  `style-src ${sourceHash(STYLE)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page without any data, which is public: the report comes by a request with the key. */
export const LIVE_PAGE = html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <meta name="robots" content="noindex" />
      <title>Migration from v1 to v2</title>
      <link rel="icon" href="data:," />
      ${styleElement}
    </head>
    <body>
      <header><h1>Migration from v1 to v2</h1></header>
      <main>
        <form id="login" hidden>
          <label for="key"
            >Admin key of the migration worker: <code>VAANI_SHADOW_API_KEY</code>, or the file
            <code>admin.key</code> in its data directory</label
          >
          <input id="key" type="password" autocomplete="off" required />
          <button type="submit">Show the report</button>
          <p id="refusal" class="bad" role="alert"></p>
        </form>
        <div id="toolbar" class="toolbar" hidden>
          <p id="status" role="status">Loading …</p>
          <button id="pause" type="button">Pause</button>
          <button id="forget" type="button">Forget the key</button>
        </div>
        <noscript
          ><p>
            This page needs JavaScript. <code>vaani shadow report --out report.html</code> writes the same
            report without it.
          </p></noscript
        >
        <div id="report"></div>
      </main>
      ${scriptElement}
    </body>
  </html> `.text
