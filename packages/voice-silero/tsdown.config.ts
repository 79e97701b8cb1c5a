export default {
  entry: ['src/index.ts'],
  unbundle: true,
  platform: 'node',
  target: 'node22',
  fixedExtension: false,
  dts: true,
}
