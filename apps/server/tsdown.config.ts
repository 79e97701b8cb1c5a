import path from 'node:path'
import { thirdPartyLicenses } from '@vaani/licenses'

const VIEWER = 'node_modules/rapidoc/dist/rapidoc-min.js'

/**
 * The deployed form: one file with the contracts, zod and ts-rest in it, which answers more requests a second than the
 * same code in many files (`pnpm bench api` shows both). What has files or errors of its own stays outside: the speech
 * engine, the phone, Postgres. OpenTelemetry is bundled because its packages would be 30 MB in every installation: what the
 * server uses of them is one more file, which is loaded only if traces are on.
 */
export default {
  entry: { bin: 'src/bin.ts', main: 'src/main.ts', testing: 'src/testing/main.ts' },
  platform: 'node',
  target: 'node24',
  fixedExtension: false,
  dts: false,
  // The viewer of `/docs`, without its package, and the licences of what is in it; and the console.
  copy: [
    ...[VIEWER, `${VIEWER}.LICENSE.txt`].map((from) => ({ from, to: 'dist' })),
    { from: '../console/dist', to: 'dist', rename: 'console' },
  ],
  inputOptions: { resolve: { conditionNames: ['vaani-source', 'node', 'import', 'default'] } },
  plugins: [thirdPartyLicenses([path.resolve(import.meta.dirname, VIEWER)])],
  deps: {
    alwaysBundle: [
      /^zod/,
      /^@ts-rest\//,
      /^@vaani\/(contracts|service-kit)/,
      /^libphonenumber-js/,
      /^@opentelemetry\//,
      // For its version, which `voices add` installs.
      '@vaani/speech-sherpa/package.json',
    ],
    neverBundle: [/^@vaani\/(?!contracts|service-kit|speech-sherpa\/package)/],
    onlyBundle: false,
  },
}
