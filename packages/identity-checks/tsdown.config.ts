// A plain object: the types of `defineConfig` do not pass `skipLibCheck: false` under TypeScript 7.
export default {
  entry: [
    'src/index.ts',
    'src/check.ts',
    'src/engines.ts',
    'src/conformance/index.ts',
    'src/decision/policy.ts',
    'src/runner/check-process.ts',
    'src/runner/guard.ts',
  ],
  // One file out for one file in: the process and its guard must lie beside the code that starts them.
  unbundle: true,
  platform: 'node',
  target: 'node22',
  fixedExtension: false,
  external: ['vitest'],
  dts: true,
}
