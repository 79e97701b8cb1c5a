/** The files whose blocks of shell commands `pnpm check:paste` pastes, in this order. */
export const PASTED: readonly string[] = [
  'README.md',
  'apps/server/README.md',
  'apps/kyc-shadow-worker/README.md',
]

/** Guides whose blocks it pastes into the newcomer's terminal afterwards, while the server runs. */
export const PASTED_GUIDES: readonly string[] = ['docs/operate/ocr.md', 'docs/operate/batches.md']

/** Guides that start servers of their own. Their blocks are pasted into a new terminal each. */
export const PASTED_ALONE: readonly string[] = ['docs/operate/engines.md', 'docs/operate/templates.md']
