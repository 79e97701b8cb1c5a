export default {
  entry: ['src/index.ts', 'src/protocol.ts'],
  platform: 'node',
  target: 'node24',
  fixedExtension: false,
  dts: true,
}
