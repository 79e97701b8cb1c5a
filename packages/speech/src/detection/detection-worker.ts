import { parentPort } from 'node:worker_threads'
import { AudioError } from '../decode-audio/audio-error.ts'
import type { DetectionReply } from './detection-messages.ts'
import { type RecordingToSearch, searchRecording } from './search-recording.ts'

const port = parentPort
if (port === null) throw new Error('This file is a worker thread')

const refusalOf = (error: unknown): DetectionReply =>
  error instanceof AudioError
    ? { type: 'refused', code: error.code, message: error.message }
    : { type: 'failed', error }

port.on('message', (request: RecordingToSearch) => {
  searchRecording(request)
    .then((search): DetectionReply => ({ type: 'done', search }), refusalOf)
    .then((reply) => port.postMessage(reply))
})
