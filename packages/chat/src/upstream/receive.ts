import type { ChatObject } from '../provider.ts'
import { type Connection, connect, type Exchange, failed } from './connection.ts'
import { createEventReader } from './event-reader.ts'
import { isPart, readChunk, readWhole } from './read-object.ts'
import { asksForText, endsTranscript, toLastEvent } from './transcript.ts'
import { isObject } from './upstream-error.ts'

const DONE = '[DONE]'
const EVENTS_TYPE = 'text/event-stream'
/** Wait for the end of the connection after the last event. */
const DRAIN_MS = 100

/**
 * Receives an answer as a whole.
 *
 * @throws RefusedError before the first byte, ChatError after it, or the reason of the signal
 */
export function receiveAnswer(exchange: Exchange): Promise<ChatObject> {
  return withConnection(exchange, async (connection) => {
    connection.limit(exchange.options.answerTimeoutMs, 'The server of the model did not answer')
    return readAnswer(exchange, connection, await connection.open())
  })
}

/** Reads an answer as a whole. @throws ChatError */
export async function readAnswer(
  exchange: Exchange,
  connection: Connection,
  { mediaType, body }: Awaited<ReturnType<Connection['open']>>,
): Promise<ChatObject> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    connection.begin()
    bytes += part.length
    if (bytes > exchange.options.maxAnswerBytes) throw tooLong()
    parts.push(part)
  }
  connection.begin()
  connection.end()
  const text = Buffer.concat(parts).toString()
  const { file, request } = exchange
  if (file !== undefined && request !== undefined && asksForText(request))
    return { text, media_type: mediaType }
  return readWhole(text, exchange)
}

/**
 * Receives an answer in chunks; those that arrive together are yielded together. Ending the iteration closes the connection.
 *
 * @throws RefusedError before the first chunk, ChatError after it, or the reason of the signal
 */
export async function* receiveChunks(
  exchange: Exchange,
): AsyncGenerator<readonly ChatObject[], void, undefined> {
  const { maxAnswerBytes, maxEventBytes, firstChunkTimeoutMs, chunkTimeoutMs } = exchange.options
  const connection = connect(exchange)
  const reader = createEventReader(maxEventBytes)
  let bytes = 0
  let isFinished = false
  // Chunks that came before the first part of the answer: until then, another server can answer instead.
  const held: ChatObject[] = []
  let hasBegun = false
  let isDone = false
  try {
    connection.limit(firstChunkTimeoutMs, 'The server of the model sent nothing')
    const response = await connection.open()
    if (exchange.file !== undefined && !response.mediaType.startsWith(EVENTS_TYPE)) {
      yield [toLastEvent(await readAnswer(exchange, connection, response))]
      return
    }
    for await (const part of response.body) {
      if (isDone) continue
      bytes += part.length
      if (bytes > maxAnswerBytes) throw tooLong()
      const events = readEvents(reader, part)
      if (events.length === 0) {
        // Pings and parts of events are signs of life.
        if (hasBegun) connection.limit(chunkTimeoutMs, 'The server of the model sent nothing more')
        else connection.limit(firstChunkTimeoutMs, 'The server of the model sent nothing')
        continue
      }
      const end = events.indexOf(DONE)
      // What follows the end is ignored.
      if (end >= 0) events.length = end
      const chunks = events.map((event) => readChunk(event, exchange))
      hasBegun ||= chunks.some((chunk) => isPart(chunk, exchange))
      if (!hasBegun) {
        held.push(...chunks)
        connection.limit(firstChunkTimeoutMs, 'The server of the model sent nothing')
      } else if (chunks.length > 0) {
        connection.begin()
        // The time that the reader takes does not count.
        connection.unlimit()
        isFinished ||= chunks.some((chunk) => endsChoice(chunk) || endsTranscript(chunk))
        yield [...held.splice(0), ...chunks]
        connection.limit(chunkTimeoutMs, 'The server of the model sent nothing more')
      }
      if (end < 0) continue
      if (!hasBegun) throw failed('The server of the model sent an empty answer')
      isDone = true
      // A connection that is read to its end is used again.
      connection.limit(DRAIN_MS, 'The server of the model did not end its answer')
    }
    connection.end()
    // Some servers do without the last line.
    if (!isFinished && !isDone) throw failed('The answer of the server ended before it was complete')
  } catch (error) {
    if (!isDone || exchange.signal.aborted) throw connection.explain(error)
  } finally {
    connection.close()
  }
}

async function withConnection<Value>(
  exchange: Exchange,
  receive: (connection: Connection) => Promise<Value>,
): Promise<Value> {
  const connection = connect(exchange)
  try {
    return await receive(connection)
  } catch (error) {
    throw connection.explain(error)
  } finally {
    connection.close()
  }
}

function readEvents(reader: ReturnType<typeof createEventReader>, bytes: Uint8Array): string[] {
  try {
    return reader.push(bytes)
  } catch (error) {
    throw error instanceof RangeError ? tooLong() : error
  }
}

const endsChoice = ({ choices }: ChatObject): boolean =>
  Array.isArray(choices) &&
  choices.some((choice) => isObject(choice) && typeof choice['finish_reason'] === 'string')

const tooLong = () => failed('The answer of the server is too long')
