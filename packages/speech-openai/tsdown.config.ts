export default {
  entry: ['src/index.ts'],
  unbundle: true,
  platform: 'neutral',
  dts: true,
}
