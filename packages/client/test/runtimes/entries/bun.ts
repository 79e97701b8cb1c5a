import { playRows } from '../play-rows.ts'

declare const Bun: { inspect(value: unknown, options: { depth: number }): string }

await playRows({
  controlUrl: process.argv[2] ?? '',
  inspect: (value) => Bun.inspect(value, { depth: 9 }),
})
