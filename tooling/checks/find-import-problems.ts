import { cruise, getAvailableTranspilers } from 'dependency-cruiser'

import { arrowRules } from './arrows.ts'
import { findFolderCircles } from './find-circles.ts'
import { developmentFile } from './import-kinds.ts'
import { serviceRules } from './service-rules.ts'

const forbidden = [...arrowRules, ...serviceRules].map((rule) => ({ ...rule, severity: 'error' as const }))
const comments = new Map(forbidden.map(({ name = '', comment = '' }) => [name, comment]))

export const ruleNames: readonly string[] = [...comments.keys()]

/** An import that breaks a rule. */
export interface ImportProblem {
  readonly rule: string
  /** The two files, or all files of a circle: `a.ts → b.ts`. */
  readonly imports: string
}

/** Explains a problem in one line. */
export const describe = ({ rule, imports }: ImportProblem): string =>
  `${imports}: ${comments.get(rule)} (${rule})`

export interface ImportsReport {
  readonly problems: readonly ImportProblem[]
  /** Each a line. */
  readonly folderCircles: readonly string[]
}

/** Finds every import in the repository at `root` that breaks a rule of arrows.ts or service-rules.ts, and circles of folders. */
export async function findImportProblems(root: string): Promise<ImportsReport> {
  // Without a supported compiler, dependency-cruiser would find no sources and so no problems.
  if (!getAvailableTranspilers().some(({ name, available }) => name === 'typescript' && available))
    throw new Error(
      'dependency-cruiser finds no TypeScript below 7; see packageExtensions in pnpm-workspace.yaml',
    )
  const { output } = await cruise(['packages', 'apps', 'tooling'], {
    baseDir: root,
    // Other checks create and delete files that begin with a dot.
    exclude: '^(?:packages|apps|tooling)/[^/]+/(?:dist/|\\.)',
    doNotFollow: 'node_modules',
    parser: 'tsc',
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      // `vaani-source` resolves to a workspace's TypeScript, `types` to packages that have only declarations.
      conditionNames: ['vaani-source', 'types', 'node', 'import', 'default'],
      mainFields: ['module', 'main', 'types'],
    },
    validate: true,
    ruleSet: { forbidden },
  })
  if (typeof output === 'string')
    throw new TypeError('dependency-cruiser returned text instead of a result object')
  const isDevelopment = new RegExp(developmentFile)
  return {
    problems: output.summary.violations.map(({ from, to, rule, cycle }) => ({
      rule: rule.name,
      imports: [from, ...(cycle?.map(({ name }) => name) ?? [to])].join(' → '),
    })),
    folderCircles: findFolderCircles(
      output.modules
        .filter(({ source }) => !isDevelopment.test(source))
        .map(({ source, dependencies }) => ({
          file: source,
          imports: dependencies.map(({ resolved }) => resolved),
        })),
    ),
  }
}
