// `#crypto` stays an import of the package itself, so that the run time chooses between the two.
export default {
  entry: ['src/index.ts', 'src/crypto/node.ts', 'src/crypto/web.ts', 'src/adapters/!(receive|*.test).ts'],
  // One file out for one file in, so that an adapter brings no other.
  unbundle: true,
  platform: 'neutral',
  dts: true,
  deps: { neverBundle: ['#crypto', /^node:/] },
}
