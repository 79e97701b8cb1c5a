// A plain object, because the types of `defineConfig` fail under TypeScript 7 with `skipLibCheck: false`.
export default {
  entry: ['src/index.ts', 'src/line/line-worker.ts'],
  // One output file per source file: the worker must lie beside the code that starts it.
  unbundle: true,
  platform: 'node',
  target: 'node22',
  fixedExtension: false,
  dts: true,
}
