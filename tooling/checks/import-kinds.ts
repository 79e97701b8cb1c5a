import type { DependencyType } from 'dependency-cruiser'

/** Imports that type stripping removes, so that they do not exist at run time. */
export const typeImports: DependencyType[] = ['type-only', 'type-import']

/** Files of a workspace that never run in production. */
export const developmentFile =
  '^(?:packages|apps|tooling)/[^/]+/(?:(?:test|bench|chaos|fuzz|scripts)/|[^/]+\\.config\\.ts$)|\\.(?:test|test-d|e2e|bench)\\.ts$|^tooling/'
