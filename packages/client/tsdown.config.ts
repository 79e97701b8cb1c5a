// A plain object: the types of `defineConfig` do not pass `skipLibCheck: false` under TypeScript 7.
export default {
  entry: {
    index: 'src/index.ts',
    errors: 'src/errors.ts',
    'generated/route-table': 'src/generated/route-table.ts',
    'transport/observer': 'src/transport/observer.ts',
    // `unwrap-webhook` too, so that the whole client does not load the verifier.
    'resources/*': 'src/resources/!(resource|wait|webhook-inbox|*.test).ts',
  },
  // What they share is in a few chunks and not in a file each, which would take twice as long to import.
  platform: 'neutral',
  dts: true,
  // On WebCrypto, as the client is the same for every runtime.
  deps: { alwaysBundle: ['@vaani/webhook-verifier'] },
  inputOptions: { resolve: { conditionNames: ['source', 'default'] } },
  // `AsyncDisposable` is in no lib of a year yet, and a reference in a file of ours would be lost.
  banner: { dts: '/// <reference lib="esnext.disposable" />' },
}
