import { parentPort } from 'node:worker_threads'
import type { MediaCommand } from '../messages.ts'
import { FATAL_NUMBER } from './fatal-number.ts'
import '../media-worker.ts'

parentPort?.on('message', (command: MediaCommand) => {
  if (command.type === 'dial' && command.request.to === FATAL_NUMBER) throw new Error('a fatal call')
})
