import { skipByteOrderMark } from '@vaani/service-kit/byte-order-mark'

/** More than any answer to a submission has. */
const MOST_BYTES = 65_536
const MOST_ID_CHARACTERS = 200
const MOST_CODE_CHARACTERS = 100

/** What an answer to a submission says. */
export interface ReadAnswer {
  readonly verificationId: string | null
  /** Code of a refusal. */
  readonly errorCode: string | null
}

export interface AnswerReader {
  write(chunk: Buffer): void
  /** Reads what was written: nothing if it is not JSON as it stands, e.g. compressed, or too long. */
  read(): ReadAnswer
}

export function createAnswerReader(): AnswerReader {
  const chunks: Buffer[] = []
  let bytes = 0
  return {
    write(chunk) {
      bytes += chunk.length
      if (bytes <= MOST_BYTES) chunks.push(chunk)
    },
    read() {
      const body = bytes <= MOST_BYTES ? parse(Buffer.concat(chunks)) : null
      return {
        verificationId: readText(readField(body, 'verification_id'), MOST_ID_CHARACTERS),
        errorCode: readText(readField(readField(body, 'error'), 'code'), MOST_CODE_CHARACTERS),
      }
    },
  }
}

const readField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const readText = (value: unknown, mostCharacters: number): string | null =>
  typeof value === 'string' && value.length <= mostCharacters ? value : null

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(skipByteOrderMark(bytes.toString('utf8')))
  } catch {
    return null
  }
}
