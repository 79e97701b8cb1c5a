export default {
  entry: ['src/index.ts'],
  unbundle: true,
  platform: 'node',
  fixedExtension: false,
  dts: true,
}
