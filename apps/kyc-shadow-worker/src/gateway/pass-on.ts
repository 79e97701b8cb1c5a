import type { IncomingMessage } from 'node:http'
import { answerFailure } from './answer-failure.ts'
import { endAnswer, type Exchange, writeHead } from './exchange.ts'

/** Passes an answer on as it arrives. */
export function passOn(exchange: Exchange, answer: IncomingMessage): void {
  const { response, watcher } = exchange
  writeHead(exchange, answer.statusCode ?? 502, answer.statusMessage ?? '', answer.rawHeaders)
  answer
    .on('data', (chunk: Buffer) => {
      watcher?.onAnswerData(chunk)
      if (response.write(chunk)) return
      answer.pause()
      response.once('drain', () => answer.resume())
    })
    .once('end', () => endAnswer(exchange, answer.rawTrailers))
    .once('error', () => answerFailure(exchange))
}
