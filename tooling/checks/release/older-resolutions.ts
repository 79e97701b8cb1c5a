/**
 * How compilers of CommonJS projects find declarations, beside `nodenext` and `bundler`. TypeScript 7 has no `node10`, so
 * both run under the last version that has it.
 */
export const OLDER_RESOLUTIONS = {
  node16: { file: 'cts', options: { module: 'node16' } },
  // The declarations of zod need `esModuleInterop`.
  node10: { file: 'ts', options: { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true } },
} as const

/** For `npm install`; a project has its own `typescript` beside it. */
export const OLDER_TYPESCRIPT = 'typescript-5@npm:typescript@5.9.3'
export const OLDER_COMPILER = 'node_modules/typescript-5/bin/tsc'
