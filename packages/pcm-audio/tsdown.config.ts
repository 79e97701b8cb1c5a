export default { entry: ['src/index.ts'], platform: 'neutral', dts: true }
