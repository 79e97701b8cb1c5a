/** A softphone in a process of its own, for `pnpm bench lines`: prints its trunk, and lives until it is ended. */
import { createSoftphone } from '../src/index.ts'

const phone = await createSoftphone({ ringMs: 100 })
console.log(JSON.stringify(phone.trunk))
process.once('SIGTERM', () => void phone.close())
