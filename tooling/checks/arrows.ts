import type { IRegularForbiddenRuleType } from 'dependency-cruiser'

import { developmentFile, typeImports } from './import-kinds.ts'

/** Workspaces that a workspace may use, as directories; `*` stands for any name. */
export interface Arrows {
  /** At run time: in sources that are neither tests nor build scripts, and in `dependencies` of package.json. */
  readonly atRunTime: readonly string[]
  /** Additional workspaces, with `import type` only. */
  readonly asTypes?: readonly string[]
}

/** The arrows of the architecture. The most specific row applies; a workspace without a row fails the check. */
export const arrows: Readonly<Record<string, Arrows>> = {
  'packages/contracts': { atRunTime: [] },
  'packages/turns': { atRunTime: [] },
  'packages/pcm-audio': { atRunTime: [], asTypes: ['packages/contracts'] },
  'packages/webhook-verifier': { atRunTime: [], asTypes: ['packages/contracts'] },
  // The client bundles it, and so has no dependency.
  'packages/client': { atRunTime: ['packages/webhook-verifier'], asTypes: ['packages/contracts'] },
  'packages/speech': { atRunTime: ['packages/pcm-audio', 'packages/turns'] },
  'packages/speech-espeak': { atRunTime: ['packages/speech', 'packages/pcm-audio'] },
  'packages/speech-flite': { atRunTime: ['packages/speech', 'packages/pcm-audio'] },
  'packages/speech-openai': { atRunTime: ['packages/speech', 'packages/pcm-audio'] },
  'packages/speech-sherpa': { atRunTime: ['packages/speech', 'packages/pcm-audio'] },
  'packages/voice-silero': { atRunTime: ['packages/pcm-audio'] },
  'packages/chat': { atRunTime: ['packages/turns'] },
  'packages/identity-checks': { atRunTime: ['packages/pcm-audio', 'packages/turns'] },
  'packages/telephony': { atRunTime: ['packages/pcm-audio'] },
  'packages/telephony-sip': { atRunTime: ['packages/telephony', 'packages/pcm-audio'] },
  'packages/telephony-media-streams': { atRunTime: ['packages/telephony', 'packages/pcm-audio'] },
  'packages/test-harness': { atRunTime: ['packages/client', 'packages/webhook-verifier'] },
  'packages/testing': {
    atRunTime: [
      'packages/test-harness',
      'packages/service-kit',
      'packages/client',
      'packages/webhook-verifier',
    ],
  },
  'packages/cli': {
    atRunTime: ['packages/client', 'packages/webhook-verifier', 'packages/pcm-audio'],
    asTypes: ['packages/contracts'],
  },
  'packages/service-kit': { atRunTime: ['packages/contracts'] },
  // The console and the worker of the migration bundle it, because neither may import from the other.
  'packages/migration-charts': { atRunTime: [], asTypes: ['packages/contracts'] },
  'apps/*': { atRunTime: ['packages/*'] },
  // It reaches the server through the client alone.
  'apps/console': { atRunTime: ['packages/client', 'packages/migration-charts', 'packages/pcm-audio'] },
  // Tooling is development code, which may import any package.
  'tooling/*': { atRunTime: ['packages/*', 'tooling/*'] },
}

const workspace = '(?:packages|apps|tooling)/[^/]+'
const pathOf = (directory: string): string => `^${directory.replace('*', '[^/]+')}/`

/** Returns the row that applies to a workspace. */
export const rowOf = (directory: string): Arrows | undefined =>
  arrows[directory] ?? arrows[anyBeside(directory)]

/** Returns whether a list of a row includes the workspace. */
export const names = (list: readonly string[], directory: string): boolean =>
  list.includes(directory) || list.includes(anyBeside(directory))

const anyBeside = (directory: string): string => directory.replace(/[^/]+$/, '*')

function rulesOf([directory, { atRunTime, asTypes = [] }]: [string, Arrows]): IRegularForbiddenRuleType[] {
  if (directory.startsWith('tooling/')) return []
  const closerRows = directory.includes('*')
    ? Object.keys(arrows).filter((other) => other !== directory && anyBeside(other) === directory)
    : []
  const from = {
    path: `^(${directory.replace('*', '[^/]+')})/`,
    pathNot: [...closerRows.map(pathOf), developmentFile],
  }
  return [
    {
      name: `arrows of ${directory}`,
      comment: 'arrows.ts does not allow this workspace here',
      from,
      to: { path: '^(?:packages|tooling)/', pathNot: ['^$1/', ...[...atRunTime, ...asTypes].map(pathOf)] },
    },
    ...asTypes.map((target) => ({
      name: `arrows of ${directory} at run time`,
      comment: 'arrows.ts allows only types of this workspace here',
      from,
      to: { path: pathOf(target), dependencyTypesNot: typeImports },
    })),
  ]
}

/** Imports between workspaces that dependency-cruiser refuses. */
export const arrowRules: readonly IRegularForbiddenRuleType[] = [
  ...Object.entries(arrows).flatMap(rulesOf),
  {
    name: 'no-other-app',
    comment: 'no other workspace may import from an application, not even in its tests',
    from: { path: `^(${workspace})/` },
    to: { path: '^apps/', pathNot: '^$1/' },
  },
  {
    name: 'stay-inside',
    comment: 'a relative import leads out of its workspace',
    from: { path: `^(${workspace})/` },
    to: { dependencyTypes: ['local'], pathNot: ['^$1/', '^interop/'] },
  },
  {
    name: 'vectors-in-development',
    comment: 'only tests and build scripts may read interop/',
    from: { pathNot: developmentFile },
    to: { path: '^interop/' },
  },
  {
    // ts-rest is hardly maintained, so only a few files use it, which could be rewritten in a day.
    name: 'ts-rest-behind-adapters',
    comment: 'ts-rest is imported by its adapter files only',
    from: {
      path: `^${workspace}/`,
      pathNot: [
        '^packages/contracts/src/shared/ts-rest\\.ts$',
        '^packages/contracts/src/ts-rest/',
        '^packages/contracts/src/.*\\.test-d\\.ts$',
        '^packages/service-kit/src/http/ts-rest\\.ts$',
      ],
    },
    to: { path: '(?:^|/)node_modules/@ts-rest/' },
  },
  {
    name: 'declared',
    comment: 'the package is not declared in package.json',
    from: { path: `^${workspace}/` },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'resolvable',
    comment: 'no such module: a wrong path, or a package that package.json does not declare',
    from: {
      path: `^${workspace}/`,
      pathNot: [
        // Examples for users' test runners, which are not our own.
        '^packages/testing/examples/',
        // Runs beside a client that is generated at test time.
        '^tooling/conformance/integrator/tour\\.ts$',
        // Copied into third-party projects.
        '^tooling/checks/release/strangers/',
      ],
    },
    // What Vite alone resolves, and refuses to build without.
    to: { couldNotResolve: true, pathNot: '\\?worker&url$' },
  },
  {
    name: 'no-circle',
    comment: 'the imports form a circle, imports of types included',
    from: {},
    to: { circular: true },
  },
]
