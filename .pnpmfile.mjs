/** Read by pnpm: https://pnpm.io/pnpmfile. A change here changes a line of pnpm-lock.yaml: run `pnpm install`. */
export const hooks = {
  /** Leaves out of a published package.json what means nothing outside this repository. */
  beforePacking: ({ devDependencies: _, exports, imports, ...manifest }) => ({
    ...manifest,
    ...(exports && { exports: withoutSource(exports) }),
    ...(imports && { imports: withoutSource(imports) }),
  }),
}

/** `vaani-source` leads to TypeScript, which no tarball has. */
function withoutSource(targets) {
  if (typeof targets !== 'object' || targets === null || Array.isArray(targets)) return targets
  const { 'vaani-source': _, ...others } = targets
  return Object.fromEntries(Object.entries(others).map(([key, target]) => [key, withoutSource(target)]))
}
