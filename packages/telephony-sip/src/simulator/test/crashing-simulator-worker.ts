import { parentPort } from 'node:worker_threads'
import type { SimulatorCommand } from '../messages.ts'
import { FATAL_NUMBER } from './fatal-number.ts'
import '../simulator-worker.ts'

parentPort?.on('message', (command: SimulatorCommand) => {
  if (command.type === 'dial' && command.request.to === FATAL_NUMBER) throw new Error('a fatal call')
})
