/** The files whose blocks of shell commands `pnpm check:paste` pastes, in this order. */
export const PASTED: readonly string[] = [
  'README.md',
  'apps/server/README.md',
  'apps/kyc-shadow-worker/README.md',
]

/** Guides whose blocks it pastes into the newcomer's terminal afterwards, while the server runs. */
export const PASTED_GUIDES: readonly string[] = [
  'docs/operate/ocr.md',
  'docs/operate/batches.md',
  'docs/operate/speech.md',
  'docs/operate/webhooks.md',
  'docs/operate/do-not-call.md',
  'docs/operate/caller-ids.md',
]

/** Guides that start servers of their own. Their blocks are pasted into a new terminal each. */
export const PASTED_ALONE: readonly string[] = ['docs/operate/engines.md', 'docs/operate/templates.md']

/** Guides each of whose blocks ends with a server in the foreground. It is stopped once it runs. */
export const PASTED_SERVERS: readonly string[] = ['docs/operate/chat.md', 'docs/operate/traces.md']

/** Guides whose blocks it pastes into the operator's terminal after the server's README, beside the servers that run. */
export const PASTED_BY_OPERATORS: readonly string[] = ['docs/operate/keys.md', 'docs/operate/deploy.md']

/** Guides whose blocks it pastes afterwards, with the same database, once these servers have stopped. */
export const PASTED_WITHOUT_SERVERS: readonly string[] = ['docs/operate/backup.md']
