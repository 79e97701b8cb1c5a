import type { GroupNames } from './group-names.ts'
import type { Lines } from './insert.ts'

interface Insertion {
  readonly file: string
  readonly import?: string
  readonly lines: readonly Lines[]
}

/** The lists that name every group, and what a new one adds to each. */
export function insertionsOf({ plural, singular }: GroupNames): Insertion[] {
  const type = plural.charAt(0).toUpperCase() + plural.slice(1)
  return [
    {
      file: 'packages/contracts/src/groups.ts',
      import: `import { ${plural}Group } from './${plural}/group.ts'`,
      lines: [{ before: 'webhooksGroup,', text: `  ${plural}Group,` }],
    },
    {
      file: 'packages/contracts/src/contract.ts',
      import: `import { ${singular}Routes } from './${plural}/routes.ts'`,
      lines: [{ before: 'webhooks: webhookRoutes,', text: `  ${plural}: ${singular}Routes,` }],
    },
    {
      file: 'packages/contracts/src/index.ts',
      import: `export * from './${plural}/resources.ts'`,
      lines: [],
    },
    {
      file: 'apps/server/src/features.ts',
      import: `import { ${plural}Feature } from './features/${plural}/feature.ts'`,
      lines: [{ before: '.with(systemFeature)', text: `  .with(${plural}Feature)` }],
    },
    {
      file: 'apps/server/test/support/fill-database.ts',
      lines: [
        {
          before: ']',
          text: `  {
    share: 0.1,
    days: 700,
    insert: \`${plural} (${singular}_id, account_id, livemode, name, created_at)
      select \${id('${singular}')}, account, livemode, 'Filled', at\`,
  },`,
        },
      ],
    },
    {
      file: 'packages/client/src/vaani.ts',
      import: `import { create${type}, type ${type} } from './resources/${plural}.ts'`,
      lines: [
        { before: 'declare readonly webhooks:', text: `  declare readonly ${plural}: ${type}` },
        { before: 'this.webhooks =', text: `    this.${plural} = create${type}(transport)` },
      ],
    },
    {
      file: 'packages/client/src/index.ts',
      import: `export type { ${type} } from './resources/${plural}.ts'`,
      lines: [],
    },
    {
      file: 'packages/client/package.json',
      lines: [
        {
          before: '"./webhooks":',
          text: `    "./${plural}": {
      "vaani-source": "./src/resources/${plural}.ts",
      "types": "./dist/resources/${plural}.d.ts",
      "default": "./dist/resources/${plural}.js"
    },`,
        },
      ],
    },
    {
      file: 'packages/cli/src/commands/index.ts',
      import: `import { ${plural} } from './${plural}/index.ts'`,
      lines: [{ before: 'webhooks,', text: `  ${plural},` }],
    },
    {
      file: 'packages/cli/README.md',
      lines: [
        {
          before: '| `webhooks listen`',
          text: `| \`${plural} create <name>\`, \`get\`, \`list\` | create and show ${plural} |`,
        },
      ],
    },
  ]
}
