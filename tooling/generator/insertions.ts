import { type GroupNames, spell } from './group-names.ts'
import type { Lines } from './insert.ts'

interface Insertion {
  readonly file: string
  readonly import?: string
  readonly lines: readonly Lines[]
}

/** The lists that name every group, and what a new one adds to each. */
export function insertionsOf(names: GroupNames): Insertion[] {
  const { kebab, snake, camel, pascal, prose } = spell(names.plural)
  const { snake: idName, camel: one } = spell(names.singular)
  return [
    {
      file: 'packages/contracts/src/groups.ts',
      import: `import { ${camel}Group } from './${kebab}/group.ts'`,
      lines: [{ before: 'webhooksGroup,', text: `  ${camel}Group,` }],
    },
    {
      file: 'packages/contracts/src/contract.ts',
      import: `import { ${one}Routes } from './${kebab}/routes.ts'`,
      lines: [{ before: 'webhooks: webhookRoutes,', text: `  ${camel}: ${one}Routes,` }],
    },
    {
      file: 'packages/contracts/src/index.ts',
      import: `export * from './${kebab}/resources.ts'`,
      lines: [],
    },
    {
      file: 'apps/server/src/features.ts',
      import: `import { ${camel}Feature } from './features/${kebab}/feature.ts'`,
      lines: [{ before: '.with(systemFeature)', text: `  .with(${camel}Feature)` }],
    },
    {
      file: 'apps/server/test/support/fill-database.ts',
      lines: [
        {
          before: ']',
          text: `  {
    share: 0.1,
    days: 700,
    insert: \`${snake} (${idName}_id, account_id, livemode, name, created_at)
      select \${id('${idName}')}, account, livemode, 'Filled', at\`,
  },`,
        },
      ],
    },
    {
      file: 'packages/client/src/vaani.ts',
      import: `import { create${pascal}, type ${pascal} } from './resources/${kebab}.ts'`,
      lines: [
        { before: 'declare readonly webhooks:', text: `  declare readonly ${camel}: ${pascal}` },
        { before: 'this.webhooks =', text: `    this.${camel} = create${pascal}(transport)` },
      ],
    },
    {
      file: 'packages/client/src/index.ts',
      import: `export type { ${pascal} } from './resources/${kebab}.ts'`,
      lines: [],
    },
    {
      file: 'packages/client/package.json',
      lines: [
        {
          before: '"./webhooks":',
          text: `    "./${kebab}": {
      "vaani-source": "./src/resources/${kebab}.ts",
      "types": "./dist/resources/${kebab}.d.ts",
      "default": "./dist/resources/${kebab}.js"
    },`,
        },
      ],
    },
    {
      file: 'packages/cli/src/commands/index.ts',
      import: `import { ${camel} } from './${kebab}/index.ts'`,
      lines: [{ before: 'webhooks,', text: `  ${camel},` }],
    },
    {
      file: 'packages/cli/README.md',
      lines: [
        {
          before: '| `webhooks listen`',
          text: `| \`${kebab} create <name>\`, \`get\`, \`list\` | create and show ${prose} |`,
        },
      ],
    },
  ]
}
