export default {
  entry: ['src/index.ts', 'src/main.ts'],
  platform: 'node',
  dts: true,
  fixedExtension: false,
}
