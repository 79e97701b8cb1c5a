export default {
  entry: ['src/index.ts', 'src/built-in/index.ts', 'src/built-in/answer-worker.ts'],
  unbundle: true,
  platform: 'node',
  fixedExtension: false,
  dts: true,
}
