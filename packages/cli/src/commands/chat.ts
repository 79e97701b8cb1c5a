import { CliError } from '../failure/cli-error.ts'
import { type CliCommand, createCommand } from '../create-command.ts'
import { readText } from '../files/read-text.ts'
import { write } from '../output/write.ts'

/** The limit of the service. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024
/** Escape sequences could change what the terminal shows before. */
const CONTROLS = /[^\P{Cc}\n\t]/gu

/** `vaani chat` */
export const chat: CliCommand = (cli) =>
  createCommand(cli, 'chat')
    .description('Ask a model, and print its answer as it is written')
    .argument('<text>', 'question; - reads it from standard input')
    .option('--model <model>', 'model to ask; by default the first one that chats')
    .option('--system <text>', 'instructions for the model')
    .addHelpText('after', '\n--json prints each chunk of the answer as one line.')
    .action(async (text, { model: named, system }) => {
      const { environment, output, signal } = cli
      const content =
        text === '-' ? await readText(environment.stdin, { maxBytes: MAX_TEXT_BYTES, signal }) : text
      const client = await cli.connect()
      const model = named ?? (await client.models.list({ signal })).data[0]?.id
      if (model === undefined)
        throw new CliError('the server has no models', { family: 'rejected', code: 'no_model' })
      const messages = [
        ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
        { role: 'user' as const, content },
      ]
      let end = '\n'
      for await (const chunk of client.chat.stream({ model, messages }, { signal })) {
        const written = (chunk.choices[0]?.delta.content ?? '').replace(CONTROLS, '')
        if (written !== '') end = written
        if (output.isJson) await output.line(chunk, '')
        else await write(environment.stdout, written, signal)
      }
      if (!output.isJson && !end.endsWith('\n')) await write(environment.stdout, '\n', signal)
    })
