import type { CommandUnknownOpts } from '@commander-js/extra-typings'

/** A possible next word, and its description. */
export interface Candidate {
  readonly word: string
  readonly description: string
}

type CommandOption = CommandUnknownOpts['options'][number]

/**
 * Returns the completions of the last word, or none if a file or free text is expected, so that the shell offers files.
 *
 * @param words words after the program name; the last one is being typed and may be empty
 */
export function candidatesFor(program: CommandUnknownOpts, words: readonly string[]): Candidate[] {
  const current = words.at(-1) ?? ''
  let command = program
  let operands = 0
  let valueOf: CommandOption | undefined
  for (const word of words.slice(0, -1)) {
    const option: CommandOption | undefined = word.startsWith('-') ? findOption(command, word) : undefined
    const subcommand = command.commands.find((one) => one.name() === word)
    if (option) valueOf = option.required && !word.includes('=') ? option : undefined
    else if (valueOf) valueOf = valueOf.variadic ? valueOf : undefined
    else if (subcommand) [command, operands] = [subcommand, 0]
    else operands += 1
  }
  return possible(command, { current, operands, valueOf }).filter(({ word }) => word.startsWith(current))
}

function possible(
  command: CommandUnknownOpts,
  at: { current: string; operands: number; valueOf: CommandOption | undefined },
): Candidate[] {
  if (at.current.startsWith('-'))
    return optionsOf(command).flatMap(({ long, description }) => (long ? [{ word: long, description }] : []))
  if (at.valueOf) return (at.valueOf.argChoices ?? []).map((word) => ({ word, description: '' }))
  const help = command.createHelp()
  const subcommands = help
    .visibleCommands(command)
    .map((one) => ({ word: one.name(), description: one.description() }))
  const choices = command.registeredArguments[at.operands]?.argChoices ?? []
  return [...subcommands, ...choices.map((word) => ({ word, description: '' }))]
}

/** Returns the options of the command itself, then those that every command takes. */
function optionsOf(command: CommandUnknownOpts): CommandOption[] {
  const help = command.createHelp()
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)]
}

function findOption(command: CommandUnknownOpts, word: string): CommandOption | undefined {
  const name = word.split('=', 1)[0]
  return optionsOf(command).find(({ long, short }) => name === long || name === short)
}
