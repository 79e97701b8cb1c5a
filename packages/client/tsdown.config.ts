// A plain object: the types of `defineConfig` do not pass `skipLibCheck: false` under TypeScript 7.
export default {
  entry: ['src/index.ts', 'src/errors.ts', 'src/resources/!(resource|wait|webhook-inbox).ts'],
  // One file out for one file in, so that a namespace brings no other.
  unbundle: true,
  platform: 'neutral',
  dts: true,
}
