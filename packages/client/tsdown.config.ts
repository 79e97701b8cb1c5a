// A plain object, because the types of `defineConfig` do not compile with `skipLibCheck: false` in TypeScript 7.
export default {
  entry: {
    index: 'src/index.ts',
    errors: 'src/errors.ts',
    'generated/route-table': 'src/generated/route-table.ts',
    'transport/observer': 'src/transport/observer.ts',
    // Includes `unwrap-webhook`, so that the whole client does not load the verifier.
    'resources/*': 'src/resources/!(resource|wait|webhook-inbox|*.test).ts',
  },
  // Bundled into a few shared chunks, because one file per module would take twice as long to import.
  platform: 'neutral',
  dts: true,
  // Bundles the build that uses WebCrypto, because the client is the same for every runtime.
  deps: { alwaysBundle: ['@vaani/webhook-verifier'] },
  inputOptions: { resolve: { conditionNames: ['vaani-source', 'default'] } },
  // No yearly `lib` contains `AsyncDisposable` yet, and the bundler would drop a reference in a source file.
  banner: { dts: '/// <reference lib="esnext.disposable" />' },
}
