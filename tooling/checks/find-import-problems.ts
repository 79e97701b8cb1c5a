import { cruise, getAvailableTranspilers } from 'dependency-cruiser'

import { arrowRules } from './arrows.ts'
import { serviceRules } from './service-rules.ts'

const forbidden = [...arrowRules, ...serviceRules].map((rule) => ({ ...rule, severity: 'error' as const }))
const comments = new Map(forbidden.map(({ name = '', comment = '' }) => [name, comment]))

export const ruleNames: readonly string[] = [...comments.keys()]

/** An import that breaks a rule. */
export interface ImportProblem {
  readonly rule: string
  /** The two files, or all of a circle: `a.ts → b.ts`. */
  readonly imports: string
}

/** Explains a problem in one line. */
export const describe = ({ rule, imports }: ImportProblem): string =>
  `${imports}: ${comments.get(rule)} (${rule})`

/** Every import of the repository at `root` that breaks a rule of arrows.ts or service-rules.ts. */
export async function findImportProblems(root: string): Promise<ImportProblem[]> {
  // Without a compiler of a version that it knows, it would find no source and no problem.
  if (!getAvailableTranspilers().some(({ name, available }) => name === 'typescript' && available))
    throw new Error(
      'dependency-cruiser finds no TypeScript below 7; see packageExtensions in pnpm-workspace.yaml',
    )
  const { output } = await cruise(['packages', 'apps', 'tooling'], {
    baseDir: root,
    // What begins with a dot comes and goes while other checks run.
    exclude: '^(?:packages|apps|tooling)/[^/]+/(?:dist/|\\.)',
    doNotFollow: 'node_modules',
    parser: 'tsc',
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      // `source` leads to the TypeScript of a workspace, `types` into packages that have nothing else.
      conditionNames: ['source', 'types', 'node', 'import', 'default'],
      mainFields: ['module', 'main', 'types'],
    },
    validate: true,
    ruleSet: { forbidden },
  })
  if (typeof output === 'string') throw new TypeError('the cruise returned a text instead of its result')
  return output.summary.violations.map(({ from, to, rule, cycle }) => ({
    rule: rule.name,
    imports: [from, ...(cycle?.map(({ name }) => name) ?? [to])].join(' → '),
  }))
}
