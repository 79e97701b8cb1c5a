export default [
  {
    entry: {
      index: 'src/index.ts',
      player: 'src/player/player.ts',
      microphone: 'src/microphone/microphone.ts',
    },
    platform: 'neutral',
    dts: true,
    copy: ['src/resample/resampler.wasm', 'src/resample/resampler.wasm.d.ts'],
  },
  // A single file, because the worklet must not import anything.
  { entry: { 'player-worklet': 'src/player/worklet-file.ts' }, platform: 'neutral', clean: false },
  { entry: { 'microphone-worklet': 'src/microphone/worklet-file.ts' }, platform: 'neutral', clean: false },
  {
    entry: { play: 'src/player/play-node.ts' },
    platform: 'node',
    dts: true,
    fixedExtension: false,
    clean: false,
  },
]
