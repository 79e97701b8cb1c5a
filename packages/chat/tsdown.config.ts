// gpt-tokenizer is bundled, because the built-in model needs a twelfth of its 30 MB, the encoding o200k_base.
export default {
  entry: ['src/index.ts', 'src/built-in/index.ts', 'src/built-in/answer-worker.ts'],
  unbundle: true,
  platform: 'node',
  fixedExtension: false,
  dts: true,
  deps: { alwaysBundle: [/^gpt-tokenizer/], onlyBundle: ['gpt-tokenizer'] },
  // Packers and images often leave out folders named node_modules.
  outputOptions: {
    entryFileNames: ({ name }: { name: string }) => `${name.replace(/^.*node_modules\//, 'bundled/')}.js`,
  },
}
