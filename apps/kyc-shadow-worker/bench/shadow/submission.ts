/** Submissions of version 1 that differ in nothing but their subject, whose length is always the same. */
const TYPE = 'multipart/form-data; boundary=b0undary'
const END = '\r\n--b0undary--\r\n'
const ID_DIGITS = 8
let sent = 0

export interface Submission {
  readonly headers: Readonly<Record<string, string>>
  /** Makes the body of another person. */
  body(): AsyncGenerator<Buffer>
}

const part = (name: string, more = ''): string =>
  `--b0undary\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`

export function makeSubmission(bytes: number): Submission {
  const file = Buffer.concat([
    Buffer.from(`\r\n${part('liveness_video', '; filename="a.mp4"')}`),
    Buffer.alloc(bytes, 'a'),
    Buffer.from(END),
  ])
  const headOf = (id: number): Buffer =>
    Buffer.from(part('external_id') + String(id).padStart(ID_DIGITS, '0'))
  return {
    headers: { 'content-type': TYPE, 'content-length': String(headOf(0).length + file.length) },
    async *body() {
      yield headOf(sent++)
      yield file
    },
  }
}
