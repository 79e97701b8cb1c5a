import { objectOf } from '../provider/json-members.ts'
import { createStreamProtocol } from '../provider/stream-protocol.ts'
import { isCallSid, isStreamSid } from './sids.ts'

/**
 * Messages of Twilio Media Streams, bidirectional.
 *
 * @see https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */
export const twilioStream = createStreamProtocol({
  findStart(_message, start) {
    const format = objectOf(start['mediaFormat'])
    return {
      streamSid: start['streamSid'],
      callSid: start['callSid'],
      encoding: format?.['encoding'],
      sampleRate: format?.['sampleRate'],
      channels: format?.['channels'],
      token: objectOf(start['customParameters'])?.['token'],
    }
  },
  isStreamSid,
  isCallSid,
  encodings: ['audio/x-mulaw'],
  address: (streamSid) => ({ streamSid }),
})
