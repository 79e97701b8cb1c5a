import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runCli } from '@vaani/cli'

/** Matches the start of a line that runs our command line, from a clone or installed. */
const VAANI = /^\s*(?:\.\/)?vaani(?=\s|$)/

export const isVaaniCommand = (line: string): boolean => VAANI.test(line)

/** Returns the first problem of a command line, an unknown command or unknown options, or undefined. */
export async function findCommandProblem(line: string): Promise<string | undefined> {
  const [command = ''] = line
    .replace(VAANI, '')
    .replace(/\s#.*$/, '')
    .split(/\s(?:[|<>]|&&)/)
  const words = command.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
  const before = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word))
  const names = words.slice(0, before === -1 ? words.length : before)
  for (let count = names.length; count > 0; count--) {
    const path = names.slice(0, count)
    const help = await helpOf(path)
    const usage = `Usage: vaani ${path.join(' ')} `
    if (!help.startsWith(usage)) continue
    const takes: readonly string[] = /^.*$/m.exec(help)?.[0].match(/[<[](?!options\])[^>\]]+[>\]]/g) ?? []
    const isGroup = takes.includes('[command]')
    if (count < names.length && (isGroup || takes.length === 0)) return `unknown command: ${names.join(' ')}`
    const options = words.filter((word) => word.startsWith('--')).map((word) => word.split('=', 1)[0] ?? word)
    const unknown = options.filter((option) => !new RegExp(`(^|[\\s,])${option}(?=[\\s,]|$)`, 'm').test(help))
    return unknown.length === 0 ? undefined : `${path.join(' ')} has no ${unknown.join(', ')}`
  }
  return `unknown command: ${names.join(' ')}`
}

async function helpOf(path: readonly string[]): Promise<string> {
  const stdout = new PassThrough()
  const printed = text(stdout)
  await runCli([...path, '--help'], {
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    variables: {},
    homeDirectory: '/nowhere',
    signal: new AbortController().signal,
  })
  stdout.end()
  return await printed
}
