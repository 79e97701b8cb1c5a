// A plain object: the types of `defineConfig` do not pass `skipLibCheck: false` under TypeScript 7.
export default {
  entry: [
    'src/index.ts',
    'src/engines.ts',
    'src/conformance/index.ts',
    'src/decision/policy.ts',
    'src/video/probe-worker.ts',
    'src/runner/check-worker.ts',
  ],
  // One file out for one file in: the worker must lie beside the code that starts it.
  unbundle: true,
  platform: 'node',
  target: 'node22',
  fixedExtension: false,
  external: ['vitest'],
  dts: true,
}
