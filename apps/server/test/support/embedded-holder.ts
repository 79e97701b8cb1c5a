/** A process that starts the embedded Postgres under a directory, writes rows, and reports which were acknowledged. */
import { startEmbeddedPostgres } from '@vaani/service-kit/database/embedded/start-embedded-postgres'
import pg from 'pg'

const [directory = '', mode = 'hold'] = process.argv.slice(2)
const postgres = await startEmbeddedPostgres({ directory })
const client = new pg.Client(postgres.connection)
client.on('error', () => undefined)
await client.connect()
process.send?.({ ready: true, adopted: postgres.adopted })

if (mode === 'write') {
  await client.query('create table if not exists written (id bigint primary key)')
  for (let id = 0; ; id++) {
    try {
      await client.query('insert into written values ($1)', [id])
    } catch {
      // Expected: the test kills the server during the writes.
      process.send?.({ lost: true })
      break
    }
    process.send?.({ acknowledged: id })
  }
}

process.once('message', () => {
  void client
    .end()
    .then(() => postgres.stop())
    .then(() => process.disconnect())
})
