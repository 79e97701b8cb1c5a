// A plain object, because the types of `defineConfig` fail under TypeScript 7 with `skipLibCheck: false`.
export default {
  entry: [
    'src/index.ts',
    'src/check.ts',
    'src/engines.ts',
    'src/conformance/index.ts',
    'src/ocr.ts',
    'src/templates.ts',
    'src/decision/policy.ts',
    'src/runner/check-process.ts',
    'src/runner/guard.ts',
  ],
  // One output file per source file: the process and its guard must lie beside the code that starts them.
  unbundle: true,
  platform: 'node',
  target: 'node22',
  fixedExtension: false,
  external: ['vitest'],
  dts: true,
}
