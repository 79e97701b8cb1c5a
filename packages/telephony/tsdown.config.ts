// A plain object, because the types of `defineConfig` fail under TypeScript 7 with `skipLibCheck: false`.
export default {
  entry: ['src/index.ts', 'src/conformance/index.ts', 'src/line/index.ts'],
  // One output file per source file.
  unbundle: true,
  platform: 'node',
  target: 'node22',
  fixedExtension: false,
  dts: true,
}
