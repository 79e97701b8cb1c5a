/** A thread that answers one chat at a time, because the schemas in it may take a second of a processor. */
import { parentPort } from 'node:worker_threads'
import { writeAnswer } from './answer/write-answer.ts'
import type { AnswerReply, AnswerRequest } from './answer-messages.ts'

function reply({ request }: AnswerRequest): AnswerReply {
  try {
    return writeAnswer(request)
  } catch (error) {
    return { type: 'failed', error }
  }
}

parentPort?.on('message', (message: AnswerRequest) => parentPort?.postMessage(reply(message)))

/** Says that it has loaded. */
parentPort?.postMessage('ready')
