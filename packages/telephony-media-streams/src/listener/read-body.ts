import type { IncomingMessage } from 'node:http'

/** Reads the body of a request. Resolves with undefined if it is larger than the limit, or breaks off. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) return undefined
      size += chunk.length
      if (size > limitBytes) return undefined
      chunks.push(chunk)
    }
  } catch {
    return undefined
  }
  return Buffer.concat(chunks).toString('utf8')
}
