import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { SpoolEntry } from '../../src/spool/entry.ts'
import type { RunningPairs } from './start-pairs.ts'

export interface Form {
  readonly contentType: string
  readonly body: Buffer
}

/** Makes a form of version 1. */
export function formOf(parts: Readonly<Record<string, string | Buffer>>): Form {
  const pieces = Object.entries(parts).flatMap(([name, content]) => {
    const file = /image|video/.test(name) ? '; filename="a.bin"\r\ncontent-type: image/jpeg' : ''
    const head = `--b0undary\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`
    return [Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')]
  })
  return {
    contentType: 'multipart/form-data; boundary=b0undary',
    body: Buffer.concat([...pieces, Buffer.from('--b0undary--\r\n')]),
  }
}

export async function* chunkOf(body: Buffer) {
  yield body
}

/** Puts a submission into the spool, as the gateway does after the primary has answered. */
export async function spoolSubmission(
  {
    context: { spool, makeId, clock },
  }: { context: Pick<RunningPairs['context'], 'spool' | 'makeId' | 'clock'> },
  form: Form,
  changes: Partial<SpoolEntry> & Pick<SpoolEntry, 'answer'>,
): Promise<string> {
  const pairId = makeId('pair')
  const media = await spool.putMedia(pairId, chunkOf(form.body))
  await spool.complete({
    pairId,
    kind: 'comparison',
    stage: 'shadow-10',
    epoch: 1,
    answeredBy: 'v1',
    receivedAtMs: clock.nowMs(),
    subject: 'ab',
    contentType: form.contentType,
    mediaBytes: form.body.length,
    media,
    ...changes,
  })
  return pairId
}

/** An answer that accepted the submission. */
export const acceptedAs = (verificationId: string, nowMs: number): NonNullable<SpoolEntry['answer']> => ({
  status: 200,
  verificationId,
  errorCode: null,
  answerMs: 40,
  answeredAtMs: nowMs,
})

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
