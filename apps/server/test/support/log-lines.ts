import { Writable } from 'node:stream'
import { type Logger, loggerOptions } from '@vaani/service-kit/telemetry/log'
import { pino } from 'pino'
import { followOutput } from './written-lines.ts'

export interface LogLine {
  level: number
  msg?: string
  event?: string
  code?: string
  operation?: string
}

const WARN = 40

/** Creates a log that keeps its lines. */
export function createLogLines(level = 'info'): { log: Logger; lines: LogLine[]; troubles(): LogLine[] } {
  const lines: LogLine[] = []
  followOutput(() => lines.map((line) => JSON.stringify(line)).join('\n'))
  const sink = new Writable({
    write(line, _, done) {
      lines.push(JSON.parse(String(line)))
      done()
    },
  })
  return {
    log: pino(loggerOptions(level), sink),
    lines,
    /** Warnings and errors. */
    troubles: () => lines.filter(({ level }) => level >= WARN),
  }
}
