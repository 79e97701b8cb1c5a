export default {
  entry: ['src/index.ts', 'src/tone.ts', 'src/conformance/index.ts'],
  unbundle: true,
  platform: 'neutral',
  external: ['vitest'],
  dts: true,
}
