const NEWLINE = 0x0a
const JSON_TYPE = 'application/json'

/** What is stored of a request: its id as JSON, and its body as JSON, each on a line. */
export const packRequest = ({ custom_id, body }: { custom_id: string; body: object }): Buffer =>
  Buffer.from(`${JSON.stringify(custom_id)}\n${JSON.stringify(body)}`)

export function unpackRequest(packed: Buffer): { customId: Buffer; body: Buffer } {
  const end = packed.indexOf(NEWLINE)
  return { customId: packed.subarray(0, end), body: packed.subarray(end + 1) }
}

/** Writes the line of a result. Bodies that are JSON stay as they are; audio becomes an object. */
export function resultLine(
  customId: Buffer,
  { status, contentType, body }: { status: number; contentType: string; body: Buffer },
): Buffer {
  const head = Buffer.concat([
    Buffer.from('{"custom_id":'),
    customId,
    Buffer.from(`,"status":${status},"body":`),
  ])
  return Buffer.concat([head, ...bodyOf(contentType, body), Buffer.from('}\n')])
}

function bodyOf(contentType: string, body: Buffer): Buffer[] {
  if (contentType.startsWith(JSON_TYPE))
    return [body.includes(NEWLINE) ? Buffer.from(JSON.stringify(JSON.parse(body.toString()))) : body]
  const type = JSON.stringify(contentType)
  return [
    Buffer.from(`{"content_type":${type},"audio_b64":"`),
    Buffer.from(body.toString('base64'), 'latin1'),
    Buffer.from('"}'),
  ]
}
