export default {
  entry: ['src/index.ts', 'src/protocol.ts'],
  platform: 'node',
  // Older than what the package supports, so that older versions say what they lack.
  target: 'node20',
  fixedExtension: false,
  dts: true,
  inputOptions: { resolve: { conditionNames: ['vaani-source', 'node', 'import', 'default'] } },
}
