import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings'
import type { Cli } from './cli.ts'

/** Creates a command; there is one per file in `commands/`. */
export type CliCommand = (cli: Cli) => CommandUnknownOpts

/** Creates a command that writes to the streams of its environment, and throws instead of ending the process. */
export function createCommand({ environment: { stdout, stderr } }: Pick<Cli, 'environment'>, name: string) {
  return new Command(name)
    .exitOverride()
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // The caller reports errors, as JSON if requested.
      outputError: () => undefined,
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
}

/** Creates a command with subcommands. Without the name of one, it runs the default or prints its help. */
export function createGroup(
  cli: Cli,
  options: {
    name: string
    description: string
    commands: readonly CliCommand[]
    defaultCommand?: CliCommand
  },
): CommandUnknownOpts {
  const { name, description, commands, defaultCommand } = options
  const group = createCommand(cli, name).description(description)
  if (defaultCommand) group.addCommand(defaultCommand(cli), { isDefault: true })
  for (const command of commands) group.addCommand(command(cli))
  return group
}

/** @throws InvalidArgumentError if the text cannot be an id, and might lead to another path */
export function parseId(text: string): string {
  if (!/^[\w-]{1,64}$/.test(text)) throw new InvalidArgumentError('It must be an id.')
  return text
}

/** @throws InvalidArgumentError if the text cannot be a language tag, and might lead to another path */
export function parseTag(text: string): string {
  if (!/^[a-z\d-]{2,35}$/i.test(text))
    throw new InvalidArgumentError('It must be a language tag, such as en-US.')
  return text
}

/** @throws InvalidArgumentError */
export function parsePositive(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value < Infinity)) throw new InvalidArgumentError('It must be a number above 0.')
  return value
}

/** @throws InvalidArgumentError */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.')
  return Number(text)
}

/** @throws InvalidArgumentError */
export function parseHttpUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new InvalidArgumentError('It must be an http or https URL without credentials.')
  return url.href
}

/** Adds a pair to the previous ones. @throws InvalidArgumentError */
export function parsePairs(text: string, pairs: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('It must be name=value.')
  return { ...pairs, [text.slice(0, at)]: text.slice(at + 1) }
}

/** @throws InvalidArgumentError if the text cannot be sent in a header */
export function parseIdempotencyKey(text: string): string {
  if (!/^[!-~]{1,255}$/.test(text))
    throw new InvalidArgumentError('It must be 1 to 255 visible ASCII characters.')
  return text
}
