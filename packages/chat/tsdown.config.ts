export default {
  entry: ['src/index.ts'],
  unbundle: true,
  platform: 'node',
  dts: true,
}
