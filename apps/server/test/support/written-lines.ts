import { Writable } from 'node:stream'
import { type Logger, loggerOptions } from '@vaani/service-kit/telemetry/log'
import { pino } from 'pino'

const readers: (() => string)[] = []

/** Has what a server of this test file writes searched when the tests are over. */
export const followOutput = (read: () => string): void => void readers.push(read)

/** Lines of the log of all servers of this test file. What they print for a person is none. */
export const writtenLines = (): string[] =>
  readers.flatMap((read) =>
    read()
      .split('\n')
      .filter((line) => line.startsWith('{')),
  )

const PRINTED = process.env['TEST_LOG_LEVEL']

/** The log of a server that a test starts: all of it is kept, and `TEST_LOG_LEVEL` prints it as well. */
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
