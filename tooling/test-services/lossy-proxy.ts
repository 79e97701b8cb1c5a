import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

const DEFAULT_PORT = 5432

/** A proxy between clients and a database that drops chosen statements and replies, or all of them. */
export interface LossyProxy extends AsyncDisposable {
  /** The database URL through the proxy. */
  url: string
  /** Ends each current connection instead of passing on its next reply: the statement ran, but the client never learns. */
  loseReplies(): void
  /** Ends the connection that sends the next statement containing this text, once, before the statement runs. */
  loseStatement(text: string): void
  /** Like `loseStatement`, but the statement runs and only its reply is lost. */
  loseReplyTo(text: string): void
  /**
   * Like `loseStatement`, but the statement runs later.
   *
   * @returns lets it arrive, and waits until it has run
   */
  delayStatement(text: string): () => Promise<void>
  /** Ends every connection, and each new one, until `mend`. */
  cut(): void
  /** Like `cut`, from the next statement containing this text on. The statement does not run. */
  cutAt(text: string): void
  mend(): void
}

const createDelayedStatement = (text: string) => {
  const { promise: held, resolve } = Promise.withResolvers<{ database: Socket; statement: Buffer }>()
  return {
    text,
    hold: (database: Socket, statement: Buffer) => resolve({ database, statement }),
    async arrive() {
      const { database, statement } = await held
      database.write(statement)
      await once(database, 'data')
      database.destroy()
    },
  }
}
type DelayedStatement = ReturnType<typeof createDelayedStatement>

export async function startLossyProxy(databaseUrl: string): Promise<LossyProxy> {
  const url = new URL(databaseUrl)
  // Set if the database listens on a Unix socket, as the embedded one does.
  const folder = url.searchParams.get('host')
  const port = Number(url.port || DEFAULT_PORT)
  const address = folder === null ? { host: url.hostname, port } : { path: `${folder}/.s.PGSQL.${port}` }
  url.searchParams.delete('host')
  const clients = new Set<Socket>()
  const losing = new Set<Socket>()
  let lostText: string | undefined
  let lostReplyText: string | undefined
  let delayed: DelayedStatement | undefined
  let cutText: string | undefined
  let isCut = false
  const cut = () => {
    isCut = true
    for (const client of clients) client.destroy()
  }
  const server = createServer((client) => {
    if (isCut) return void client.destroy()
    const database = connect(address)
    const close = () => void database.destroy()
    clients.add(client)
    client.on('data', (statement: Buffer) => {
      if (cutText !== undefined && statement.includes(cutText)) {
        cutText = undefined
        return cut()
      }
      if (lostText !== undefined && statement.includes(lostText)) {
        lostText = undefined
        return client.destroy()
      }
      if (delayed !== undefined && statement.includes(delayed.text)) {
        client.off('close', close)
        delayed.hold(database, statement)
        delayed = undefined
        return client.destroy()
      }
      if (lostReplyText !== undefined && statement.includes(lostReplyText)) {
        lostReplyText = undefined
        losing.add(client)
      }
      return database.write(statement)
    })
    database.on('data', (reply: Buffer) => {
      if (losing.has(client)) client.destroy()
      else client.write(reply)
    })
    for (const socket of [client, database]) socket.on('error', () => undefined)
    database.once('close', () => client.destroy())
    client.once('close', close)
    client.once('close', () => {
      clients.delete(client)
      losing.delete(client)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    loseReplies() {
      for (const client of clients) losing.add(client)
    },
    loseStatement: (text) => void (lostText = text),
    delayStatement: (text) => (delayed = createDelayedStatement(text)).arrive,
    loseReplyTo: (text) => void (lostReplyText = text),
    cut,
    cutAt: (text) => void (cutText = text),
    mend: () => void (isCut = false),
    async [Symbol.asyncDispose]() {
      server.close()
      for (const client of clients) client.destroy()
      await once(server, 'close')
    },
  }
}
