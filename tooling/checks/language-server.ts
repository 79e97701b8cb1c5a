import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const LIMIT_MS = 60_000
const HEADER_END = '\r\n\r\n'

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly result?: { readonly contents?: { readonly value?: string } } | null
}

/**
 * Returns the text that an editor shows on hovering over a word, from the language server of the project's own TypeScript
 * (Language Server Protocol 3.17).
 *
 * @throws Error if the language server does not respond
 */
export async function hoverOver(options: { directory: string; file: string; word: string }): Promise<string> {
  const { directory, file, word } = options
  const text = await readFile(path.join(directory, file), 'utf8')
  const before = text.slice(0, text.indexOf(word)).split('\n')
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
  const uri = pathToFileURL(path.join(directory, file)).href
  const server = spawn(process.execPath, ['node_modules/typescript/bin/tsc', '--lsp', '--stdio'], {
    cwd: directory,
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: LIMIT_MS,
  })
  const ended = once(server, 'exit')
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}${HEADER_END}${body}`)
  }
  const capabilities = { textDocument: { hover: { contentFormat: ['plaintext'] } } }
  send({ id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities } })
  let hover: string | undefined
  try {
    for await (const { id, method, result } of messagesOf(server.stdout)) {
      if (method !== undefined) {
        // The server registers for changes, and waits for the response.
        if (id !== undefined) send({ id, result: null })
      } else if (id === 1) {
        send({ method: 'initialized', params: {} })
        const textDocument = { uri, languageId: 'typescript', version: 1, text }
        send({ method: 'textDocument/didOpen', params: { textDocument } })
        send({ id: 2, method: 'textDocument/hover', params: { textDocument: { uri }, position } })
      } else if (id === 2) {
        hover = result?.contents?.value
        break
      }
    }
  } finally {
    server.kill()
    await ended
  }
  if (hover === undefined) throw new Error(`The language server has no hover for ${word}`)
  return hover
}

async function* messagesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Message> {
  let bytes = Buffer.alloc(0)
  for await (const chunk of stream) {
    bytes = Buffer.concat([bytes, chunk])
    for (;;) {
      const headerEnd = bytes.indexOf(HEADER_END)
      if (headerEnd < 0) break
      const length = Number(/Content-Length: (\d+)/.exec(bytes.toString('latin1', 0, headerEnd))?.[1])
      const start = headerEnd + HEADER_END.length
      if (bytes.length < start + length) break
      yield JSON.parse(bytes.toString('utf8', start, start + length))
      bytes = bytes.subarray(start + length)
    }
  }
}
