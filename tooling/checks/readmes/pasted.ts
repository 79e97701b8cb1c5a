/** The files whose blocks of shell commands `pnpm check:paste` pastes, in this order. */
export const PASTED: readonly string[] = [
  'README.md',
  'apps/server/README.md',
  'apps/kyc-shadow-worker/README.md',
]
