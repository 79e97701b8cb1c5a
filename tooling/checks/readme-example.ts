/** The first fence opened as ```` ```ts example ```` in a README, without the fence itself. */
export function findExample(readme: string): string | undefined {
  return /^```ts example\r?\n([\s\S]*?)^```\s*$/m.exec(readme)?.[1]
}
