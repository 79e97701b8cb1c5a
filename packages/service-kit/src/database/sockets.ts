import { Socket } from 'node:net'

/** Opens connections to a database, destroys those that stop responding, and can cut all of them. */
export interface DatabaseSockets {
  /**
   * Makes pg's `stream` option. A connection without traffic for `silenceMs` is destroyed, so that its statement fails and the
   * pool replaces it. pg's own timeouts would return the connection to the pool while it still waits.
   */
  opener(silenceMs: number): () => Socket
  /** Destroys all connections, including future ones, so that nothing waits for a hanging database. */
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
        socket.destroy(Object.assign(new Error('The database does not respond'), SILENT)),
      )
      // Deferred until pg listens for errors.
      if (isCut) setImmediate(() => socket.destroy(cutOff()))
      return socket
    },
    cut() {
      isCut = true
      for (const socket of open) socket.destroy(cutOff())
    },
  }
}
