/** Starts a Postgres with testcontainers, with its data in memory. */
export async function startPostgresContainer(): Promise<AsyncDisposable & { url: string }> {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql')
  const folder = '/pgdata'
  const container = await new PostgreSqlContainer(process.env['PG_IMAGE'] ?? 'postgres:18-alpine')
    .withTmpFs({ [folder]: 'rw' })
    .withEnvironment({ PGDATA: `${folder}/data` })
    .withCommand(['postgres', '-c', 'fsync=off'])
    .start()
  return {
    url: container.getConnectionUri(),
    [Symbol.asyncDispose]: async () => void (await container.stop()),
  }
}
