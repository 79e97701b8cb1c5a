import { CliError } from '../failure/cli-error.ts'
import type { Cli } from '../cli.ts'
import { openSink, STANDARD_OUTPUT } from '../files/byte-sink.ts'
import { readBody } from './read-body.ts'
import type { Answer } from './send.ts'
import { parseJson } from '../input/parse-json.ts'

const MAX_JSON_BYTES = 64 * 1024 * 1024

/** Prints JSON. Writes anything else, or everything if `out` is set, byte for byte. @throws CliError */
export async function printAnswer(
  cli: Cli,
  { contentType, body }: Answer,
  out: string | undefined,
): Promise<void> {
  if (body === undefined) return
  if (out === undefined && isJson(contentType)) return printJson(cli, body)
  await using sink = await openSink(cli, out ?? STANDARD_OUTPUT)
  for await (const chunk of body) await sink.write(chunk)
  await sink.commit()
}

const isJson = (type: string): boolean => /^application\/([\w.-]+\+)?json\b/.test(type)

async function printJson({ output }: Cli, body: AsyncIterable<Uint8Array>): Promise<void> {
  const text = await readBody(body, MAX_JSON_BYTES)
  if (text === undefined)
    throw new CliError('the response is longer than 64 MiB: name a file with --out', { family: 'usage' })
  const value = parse(text)
  // Control characters could move the cursor; JSON itself escapes the first 32.
  await output.line(value, JSON.stringify(value, null, 2).replaceAll(/[\u007F-\u009F]/gu, '\ufffd'))
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    // Drop the error, because it quotes the text.
    throw new CliError('the response has a JSON content type but is not JSON', { family: 'unexpected' })
  }
}
