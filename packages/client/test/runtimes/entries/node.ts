import { inspect } from 'node:util'
import { playRows } from '../play-rows.ts'

await playRows({
  controlUrl: process.argv[2] ?? '',
  inspect: (value) => inspect(value, { depth: 9 }),
})
