import { Socket } from 'node:net'

/** Opens the connections to a database, ends those that it no longer answers on, and can cut all of them. */
export interface DatabaseSockets {
  /**
   * What pg takes as its option `stream`. A connection on which nothing has moved for `silenceMs` is destroyed: its
   * statement fails, and the pool replaces it. A time-out of pg alone would put it back into the pool, still waiting.
   */
  opener(silenceMs: number): () => Socket
  /** Destroys every connection, now and from now on, so that nothing waits for a database that hangs. */
  cut(): void
}

const SILENT = { code: 'ETIMEDOUT', syscall: 'read' }
const CUT = { code: 'ECONNABORTED', syscall: 'connect' }

export function createDatabaseSockets(): DatabaseSockets {
  const open = new Set<Socket>()
  let isCut = false
  const cutOff = () => Object.assign(new Error('The connection to the database was cut'), CUT)
  return {
    opener: (silenceMs) => () => {
      const socket = new Socket()
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      socket.setTimeout(silenceMs, () =>
        socket.destroy(Object.assign(new Error('The database does not answer'), SILENT)),
      )
      // Later, when pg listens.
      if (isCut) setImmediate(() => socket.destroy(cutOff()))
      return socket
    },
    cut() {
      isCut = true
      for (const socket of open) socket.destroy(cutOff())
    },
  }
}
