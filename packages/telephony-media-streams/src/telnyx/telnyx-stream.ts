import { objectOf } from '../provider/json-members.ts'
import { createStreamProtocol } from '../provider/stream-protocol.ts'
import { isCallId, isStreamId } from './ids.ts'

/**
 * Messages of Telnyx media streaming, bidirectional with RTP payloads.
 *
 * @see https://developers.telnyx.com/api-reference/websockets/stream-call-media-over-websocket
 */
export const telnyxStream = createStreamProtocol({
  findStart(message, start) {
    const format = objectOf(start['media_format'])
    return {
      streamSid: message['stream_id'],
      callSid: start['call_control_id'],
      encoding: format?.['encoding'],
      sampleRate: format?.['sample_rate'],
      channels: format?.['channels'],
      token: tokenOf(start['custom_parameters']),
    }
  },
  isStreamSid: isStreamId,
  isCallSid: isCallId,
  // The reference has both names.
  encodings: ['PCMU', 'audio/x-mulaw'],
  // A socket has one stream, which messages to Telnyx do not name.
  address: () => ({}),
})

/** Finds the token among custom parameters. The reference leaves open whether these are an object, or a list as in the request for a stream. */
function tokenOf(parameters: unknown): unknown {
  if (!Array.isArray(parameters)) return objectOf(parameters)?.['token']
  const found: unknown = parameters.find((one) => objectOf(one)?.['name'] === 'token')
  return objectOf(found)?.['value']
}
