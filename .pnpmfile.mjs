/** Read by pnpm: https://pnpm.io/pnpmfile. A change here changes a line of pnpm-lock.yaml: run `pnpm install`. */
export const hooks = {
  /** Leaves out of a published package.json what means nothing outside this repository, and adds what older importers need. */
  beforePacking: ({ devDependencies: _, scripts: __, exports, imports, ...manifest }) => ({
    ...manifest,
    ...(exports && { ...typesOf(exports), exports: withCommonJs(withoutSource(exports)) }),
    ...(imports && { imports: withoutSource(imports) }),
  }),
}

/** `vaani-source` leads to TypeScript, which no tarball has. Entries with nothing else are for this repository alone. */
function withoutSource(targets) {
  if (typeof targets !== 'object' || targets === null || Array.isArray(targets)) return targets
  const { 'vaani-source': _, ...others } = targets
  const left = Object.entries(others).map(([key, target]) => [key, withoutSource(target)])
  return Object.fromEntries(left.filter(([, target]) => JSON.stringify(target) !== '{}'))
}

/** TypeScript's `moduleResolution: node10` does not read `exports`. */
function typesOf(exports) {
  const { '.': main, ...others } = exports
  const paths = Object.entries(others)
    .filter(([, { types }]) => types)
    .map(([entry, { types }]) => [entry.replace('./', ''), [types]])
  return {
    ...(main?.types && { types: main.types }),
    ...(paths.length > 0 && { typesVersions: { '*': Object.fromEntries(paths) } }),
  }
}

/** tooling/checks/release/write-commonjs.ts writes these files. */
function withCommonJs(exports) {
  return Object.fromEntries(
    Object.entries(exports).map(([entry, target]) => {
      if (!target.types || !target.default.endsWith('.js')) return [entry, target]
      const file = target.default.replace(/\.js$/, '')
      return [entry, { require: { types: `${file}.d.cts`, default: `${file}.cjs` }, ...target }]
    }),
  )
}
