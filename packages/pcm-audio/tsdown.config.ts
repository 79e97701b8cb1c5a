export default [
  { entry: { index: 'src/index.ts', player: 'src/player/player.ts' }, platform: 'neutral', dts: true },
  // A single file, because the worklet must not import anything.
  { entry: { 'player-worklet': 'src/player/worklet-file.ts' }, platform: 'neutral', clean: false },
  {
    entry: { play: 'src/player/play-node.ts' },
    platform: 'node',
    dts: true,
    fixedExtension: false,
    clean: false,
  },
]
