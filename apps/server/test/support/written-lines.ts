import { Writable } from 'node:stream'
import { type Logger, loggerOptions } from '@vaani/service-kit/telemetry/log'
import { pino } from 'pino'

/** Files of a worker share its modules. */
let readers: (() => string)[] = []

/** Begins a test file. */
export const forgetLines = (): void => void (readers = [])

/** Registers the output of a server of this test file, to be searched for leaks after the tests. */
export const followOutput = (read: () => string): void => void readers.push(read)

/** Returns the log lines of all servers of this test file, without the text printed for people. */
export const writtenLines = (): string[] =>
  readers.flatMap((read) =>
    read()
      .split('\n')
      .filter((line) => line.startsWith('{')),
  )

const PRINTED = process.env['TEST_LOG_LEVEL']

/** Creates the log of a server that a test starts. Keeps all lines; `TEST_LOG_LEVEL` also prints those of that level and above. */
export function createFollowedLog(): Logger {
  const lines: string[] = []
  followOutput(() => lines.join(''))
  const kept = new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) })
  const streams = [{ level: 'debug', stream: kept }]
  return pino(
    loggerOptions('debug'),
    pino.multistream(
      PRINTED === undefined ? streams : [...streams, { level: PRINTED, stream: process.stdout }],
    ),
  )
}
