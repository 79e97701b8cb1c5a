/** One module that a source file names. */
export interface Import {
  readonly specifier: string
  /** True when type stripping removes it, so that it is nothing at run time. */
  readonly isTypeOnly: boolean
}

// Anchored at the start of a line, where the formatter puts them: examples in comments do not count.
const fromClause = /^(?:import|export)\s+(type\s+)?(?:[\w$*{},\s]+?)\s+from\s*['"]([^'"]+)['"]/gm
const sideEffect = /^import\s*['"]([^'"]+)['"]/gm
const dynamic = /^(?!\s*(?:\/\/|\*|\/\*)).*?(\btypeof\s+)?\bimport\(\s*['"]([^'"]+)['"]/gm

/**
 * The modules that a TypeScript source imports, re-exports or loads while it runs. A small scan, not a parser: an
 * import that hides behind other code on its line is missed, one per line is what the formatter leaves.
 */
export function readImports(source: string): Import[] {
  const found = [
    ...Array.from(source.matchAll(fromClause), ([, type, specifier]) => ({ type, specifier })),
    ...Array.from(source.matchAll(sideEffect), ([, specifier]) => ({ type: undefined, specifier })),
    ...Array.from(source.matchAll(dynamic), ([, type, specifier]) => ({ type, specifier })),
  ]
  return found.map(({ type, specifier = '' }) => ({ specifier, isTypeOnly: type !== undefined }))
}

/** The package that a bare specifier belongs to: `@vaani/client` for `@vaani/client/node`. */
export function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}
