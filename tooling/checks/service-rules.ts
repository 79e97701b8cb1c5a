import type { IRegularForbiddenRuleType } from 'dependency-cruiser'

import { developmentFile, typeImports } from './import-kinds.ts'

const features = '^(apps/[^/]+/src)/features/'
/** Files that may import all features. */
const knowsFeatures = '^apps/[^/]+/src/(?:(?:main|run|server|features|print-[^/]+)\\.ts$|testing/)'
/** Tests that start a feature with stand-ins for those before it. */
const startsOneFeature = '^apps/[^/]+/test/support/start-[^/]+\\.ts$'
const store = '/(?:store|[^/]+-store)\\.ts$'

/** Every `rules` folder of a service, without its tests. */
const rules = { path: '^(apps/[^/]+/src/|apps/[^/]+/src/.+/)rules/', pathNot: developmentFile }
/** Node modules and third-party packages that compute without I/O. */
const pureModules = [
  '^(?:assert|buffer|crypto|path|url|util)(?:/|$)',
  '(?:^|/)node_modules/(?:zod|libphonenumber-js|any-ascii|n2words|decode-named-character-reference|character-entities)/',
]
/** Workspaces, or parts of them, that rules may use. A rule below keeps these free of I/O too. */
const pureWorkspaces = [
  '^packages/contracts/src/(?!openapi/|ts-rest/)',
  '^packages/speech/src/(?!cloning/|conformance/|decode-audio/|detection/|synthesis/)',
  '^packages/turns/src/',
  '^packages/webhook-verifier/src/',
  '^packages/pcm-audio/src/(?!player/)',
  '^packages/identity-checks/src/(?:decision/|check\\.ts$)',
]

/** Imports that dependency-cruiser refuses inside a service, in which each feature is a folder. */
export const serviceRules: readonly IRegularForbiddenRuleType[] = [
  {
    name: 'features-meet-at-ports',
    comment: 'a feature may import only port.ts of another feature, even for types',
    from: { path: '^(apps/[^/]+/src/features)/([^/]+)/' },
    to: { path: '^$1/', pathNot: ['^$1/$2/', '^$1/[^/]+/port\\.ts$'] },
  },
  {
    name: 'features-are-listed-once',
    comment: 'only the list of features, and code that starts or prints it, may import a feature.ts',
    from: { pathNot: [knowsFeatures, startsOneFeature] },
    to: { path: `${features}[^/]+/feature\\.ts$` },
  },
  {
    name: 'nothing-below-knows-features',
    comment: 'code that every feature builds on, such as tenancy, may import no feature',
    from: { path: '^(apps/[^/]+/src)/(?!features/)', pathNot: knowsFeatures },
    to: { path: '^$1/features/' },
  },
  {
    name: 'rules-do-no-io',
    comment: 'rules/ may import no module that does I/O, not even a type of it',
    from: rules,
    to: { pathNot: ['^(?:packages|apps|tooling|interop)/', ...pureModules] },
  },
  {
    name: 'rules-know-no-store',
    comment: 'rules/ may import nothing of a store, a route or HTTP, not even a type',
    from: rules,
    to: { path: ['^apps/.+/(?:routes|http)/', `^(?:apps|packages)/.+${store}`, '/feature\\.ts$'] },
  },
  {
    name: 'rules-use-rules',
    comment:
      'rules/ may run only rules of the same feature or of the whole service, and packages without I/O; pass the rest in',
    from: rules,
    to: {
      path: '^(?:packages|apps|tooling|interop)/',
      pathNot: ['^$1rules/', '^apps/[^/]+/src/rules/', ...pureWorkspaces],
      dependencyTypesNot: typeImports,
    },
  },
  {
    name: 'pure-workspaces-do-no-io',
    comment: 'rules/ may run this file, so it may import nothing that does I/O; see pureWorkspaces',
    from: { path: pureWorkspaces, pathNot: developmentFile },
    to: { pathNot: [...pureModules, ...pureWorkspaces], dependencyTypesNot: typeImports },
  },
  {
    name: 'stores-know-no-http',
    comment: 'a store may import nothing of HTTP, not even an API error: return what happened instead',
    from: { path: `^(?:apps|packages)/.+${store}` },
    to: {
      path: [
        '^https?$|^http2$',
        '(?:^|/)node_modules/(?:@fastify/|@ts-rest/|fastify|undici|ws)',
        '^packages/service-kit/src/http/',
        '^apps/.+/(?:http|routes)/',
        '/feature\\.ts$',
      ],
    },
  },
]
