import { thirdPartyLicenses } from '@vaani/licenses'

/**
 * The deployed form: the command in one file with the contracts, the kit, zod and ts-rest in it, as the server's, and the hook for
 * apps, which needs nothing but the client.
 */
export default {
  entry: { bin: 'src/bin.ts', main: 'src/main.ts', index: 'src/index.ts' },
  platform: 'node',
  target: 'node24',
  fixedExtension: false,
  // Without a program of types, whose declarations of files beside `src` would be written among them.
  dts: { oxc: true },
  inputOptions: { resolve: { conditionNames: ['vaani-source', 'node', 'import', 'default'] } },
  plugins: [thirdPartyLicenses()],
  deps: {
    alwaysBundle: [
      /^zod/,
      /^@ts-rest\//,
      /^@vaani\/(contracts|migration-charts|service-kit)/,
      /^libphonenumber-js/,
      /^@opentelemetry\//,
    ],
    neverBundle: [/^@vaani\/(?!contracts|migration-charts|service-kit)/],
    onlyBundle: false,
  },
}
