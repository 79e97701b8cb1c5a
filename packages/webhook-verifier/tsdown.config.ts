// `#crypto` stays a subpath import of the package, so that the runtime chooses between node.ts and web.ts.
export default {
  entry: ['src/index.ts', 'src/crypto/node.ts', 'src/crypto/web.ts', 'src/adapters/!(receive|*.test).ts'],
  // One output file per source file, so that importing one adapter loads no other.
  unbundle: true,
  platform: 'neutral',
  dts: true,
  deps: { neverBundle: ['#crypto', /^node:/] },
}
