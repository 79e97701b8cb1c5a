import type { Dispatcher } from 'undici'
import type { ChatFile, ChatObject } from '../provider.ts'
import { connect, type Exchange, RefusedError } from './connection.ts'
import type { CheckedOptions } from './options.ts'
import { readAnswer } from './receive.ts'

/** A request about what a server keeps, such as a file or a batch. */
export interface StoredRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the base URL: `files`, `batches/batch_1/cancel`. */
  readonly path: string
  /** Members of a JSON body, or texts of a form if there is a file. */
  readonly fields?: ChatObject
  readonly file?: ChatFile
}

/** Files and batches that a server keeps. Requests are not repeated. */
export interface StoredObjects {
  /** Returns the object that the request is about. @throws ChatError */
  send(request: StoredRequest, signal: AbortSignal): Promise<ChatObject>
  /** Reads the bytes of a file. Ending the iteration closes the connection. @throws ChatError */
  read(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined>
}

export function createStoredObjects({
  dispatcher,
  options,
}: {
  dispatcher: Dispatcher
  options: CheckedOptions
}): StoredObjects {
  const exchangeOf = ({ method, path, fields, file }: StoredRequest, signal: AbortSignal): Exchange => ({
    dispatcher,
    options,
    target: { method, path },
    request: fields,
    file,
    signal,
  })
  return {
    async send(request, signal) {
      const exchange = exchangeOf(request, signal)
      const connection = connect(exchange)
      try {
        connection.limit(options.answerTimeoutMs, 'The server did not answer')
        return await readAnswer(exchange, connection, await connection.open())
      } catch (error) {
        throw unwrap(connection.explain(error))
      } finally {
        connection.close()
      }
    },
    async *read(path, signal) {
      const connection = connect(exchangeOf({ method: 'GET', path }, signal))
      try {
        connection.limit(options.firstChunkTimeoutMs, 'The server sent nothing')
        const { body } = await connection.open()
        connection.begin()
        for await (const part of body) {
          // The time that the reader takes does not count.
          connection.unlimit()
          yield part
          connection.limit(options.chunkTimeoutMs, 'The server sent nothing more')
        }
        connection.end()
      } catch (error) {
        throw unwrap(connection.explain(error))
      } finally {
        connection.close()
      }
    },
  }
}

const unwrap = (error: unknown): unknown => (error instanceof RefusedError ? error.refusal.error : error)
