/** Which workspaces a workspace may use; directories, where `*` stands for any name. */
export interface Arrows {
  /** In what runs: sources that are neither tests nor build scripts, and `dependencies` in package.json. */
  readonly atRunTime: readonly string[]
  /** With `import type` only, beside those above. */
  readonly asTypes?: readonly string[]
}

/** The arrows of the architecture, the closest row first. A workspace without a row fails the check. */
export const arrows: Readonly<Record<string, Arrows>> = {
  'packages/contracts': { atRunTime: [] },
  'packages/pcm-audio': { atRunTime: [], asTypes: ['packages/contracts'] },
  'packages/webhook-verifier': { atRunTime: [], asTypes: ['packages/contracts'] },
  'packages/client': { atRunTime: [], asTypes: ['packages/contracts'] },
  'packages/speech': { atRunTime: ['packages/pcm-audio'] },
  'packages/speech-espeak': { atRunTime: ['packages/speech', 'packages/pcm-audio'] },
  'packages/identity-checks': { atRunTime: ['packages/pcm-audio'] },
  'packages/telephony': { atRunTime: ['packages/pcm-audio'] },
  'packages/testing': {
    atRunTime: ['packages/client', 'packages/webhook-verifier'],
    asTypes: ['packages/contracts'],
  },
  'packages/cli': {
    atRunTime: ['packages/client', 'packages/webhook-verifier', 'packages/pcm-audio'],
    asTypes: ['packages/contracts'],
  },
  'packages/service-kit': { atRunTime: ['packages/contracts'] },
  'apps/console': { atRunTime: ['packages/client', 'packages/pcm-audio'], asTypes: ['packages/contracts'] },
  'apps/*': { atRunTime: ['packages/*'] },
  'tooling/*': { atRunTime: ['packages/*', 'tooling/*'] },
}

/** What tests and build scripts of any workspace may use as well. */
export const inDevelopment: readonly string[] = ['packages/*', 'tooling/*']

/** Files of a workspace that never run in somebody's production. */
export const developmentFile =
  /(^(test|bench|chaos|fuzz|scripts)\/|\.(test|test-d|e2e|bench)\.ts$|^[^/]+\.config\.ts$)/

/** Where the relative imports of tests and build scripts may lead outside their workspace. */
export const sharedVectors = 'interop/'

/** Hardly maintained, so it stays behind a few files that could be rewritten in a day. */
export const tsRestPackages = /^@ts-rest\//
export const tsRestFiles: readonly RegExp[] = [
  /^packages\/contracts\/src\/shared\/ts-rest\.ts$/,
  /^packages\/contracts\/src\/(.+\/)?[^/]+\.test-d\.ts$/,
  /^packages\/service-kit\/src\/http\/ts-rest\.ts$/,
]
