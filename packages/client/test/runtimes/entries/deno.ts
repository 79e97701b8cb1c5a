import { playRows } from '../play-rows.ts'

declare const Deno: {
  readonly args: readonly string[]
  inspect(value: unknown, options: { depth: number }): string
}

await playRows({
  controlUrl: Deno.args[0] ?? '',
  inspect: (value) => Deno.inspect(value, { depth: 9 }),
})
