import { z } from 'zod'
import { namedIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts'
import { binaryBodySchema, defineRoute } from '../shared/route.ts'
import { noBody } from '../shared/ts-rest.ts'
import { callSchema, callTranscriptSchema, placeCallSchema } from './resources.ts'
import { CALL_STATUSES } from './states.ts'

const callPath = z.object({ call_id: namedIdSchema('call', 'call_not_found') })

/** Voice-agent calls. */
export const callRoutes = {
  place: defineRoute({
    operation: 'calls.place',
    method: 'POST',
    path: '/agent/calls',
    summary: 'Place a call',
    description:
      'Queues an outbound call by an agent, to be dialled at once or at `scheduled_at`. At most ' +
      `${LIMITS.scheduledCallsPerAccount} scheduled calls can wait at a time; \`waiting_calls\` limits the unscheduled calls that have ` +
      `not been dialled yet. Placing one over either limit returns 429. A call lasts at most ${LIMITS.callDurationSeconds / 60} minutes. ` +
      `Metadata that fills the agent’s words past ${LIMITS.filledGreetingCharacters} characters is rejected as \`text_too_long\`; if the agent is changed later so that its words are too long when the call is dialled, the call fails with \`agent-error\`. ` +
      'A number on a do-not-call list is refused as `do_not_call`; if it is listed before the call is dialled, the call fails with `do-not-call`. If `from_caller_id` is removed before that, it fails with `caller-id`. ' +
      'Numbers that no phone line dials, such as premium rates, are refused as `number_barred`; a simulator takes them. ' +
      'A call over a phone line that is due outside the hours at which people are called there is refused as `outside_calling_hours`, with the next time; one that waited until then fails with `outside-hours`. ' +
      'A call that is due today is refused as `call_cap_reached` once today’s minutes, money or attempts at the number are used up, see `GET /v1/limits`; one that waits then fails with `call-cap`, and one that talks ends with its minute.',
    scope: 'calls:write',
    limit: 'place_call',
    concurrency: 'waiting_calls',
    body: placeCallSchema,
    success: { 201: callSchema },
    errors: [
      'invalid_phone',
      'do_not_call',
      'number_barred',
      'outside_calling_hours',
      'call_cap_reached',
      'text_too_long',
    ],
  }),
  retrieve: defineRoute({
    operation: 'calls.retrieve',
    method: 'GET',
    path: '/agent/calls/:call_id',
    summary: 'Read a call',
    description:
      'Returns the call with its current status, and `duration_seconds` once an answered call has ended.',
    scope: 'calls:read',
    pathParams: callPath,
    success: { 200: callSchema },
    errors: ['call_not_found'],
  }),
  list: defineRoute({
    operation: 'calls.list',
    method: 'GET',
    path: '/agent/calls',
    summary: 'List calls',
    description: 'Lists the account’s calls, newest first.',
    scope: 'calls:read',
    beyondSpecification: true,
    query: pageQuerySchema('call').extend({
      status: z.enum(CALL_STATUSES).optional().meta({ description: 'Only calls with this status.' }),
    }),
    success: { 200: pageSchema(callSchema) },
  }),
  cancel: defineRoute({
    operation: 'calls.cancel',
    method: 'POST',
    path: '/agent/calls/:call_id/cancel',
    summary: 'Cancel a call before it is answered',
    description:
      'Cancels a queued call, and hangs up if it rings: it becomes `failed`, with `failure_reason` `canceled`. Returns 409 once ' +
      'it was answered or has ended.',
    scope: 'calls:write',
    beyondSpecification: true,
    pathParams: callPath,
    body: noBody,
    success: { 200: callSchema },
    errors: ['call_not_found', 'state_conflict'],
  }),
  recording: defineRoute({
    operation: 'calls.recording',
    method: 'GET',
    path: '/agent/calls/:call_id/recording',
    summary: 'Download the recording of a call',
    description:
      'Returns the audio heard at the far end, as 16 kHz mono WAV. Returns 404 `not_found` before the call has ended, if nobody ' +
      'answered, if the call could not be recorded, and once the recording is erased, by `DELETE` or at the end of the account’s ' +
      'retention.',
    scope: 'calls:read',
    beyondSpecification: true,
    pathParams: callPath,
    success: { 200: binaryBodySchema },
    successBody: 'bytes',
    mediaTypes: ['audio/wav'],
    errors: ['call_not_found', 'not_found'],
  }),
  transcript: defineRoute({
    operation: 'calls.transcript',
    method: 'GET',
    path: '/agent/calls/:call_id/transcript',
    summary: 'Read what was said in a call',
    description:
      'Returns the words that were heard, with their places in the recording. The transcript is kept with the recording, and erased ' +
      'with it: the route returns 404 `not_found` when that of the recording does.',
    scope: 'calls:read',
    beyondSpecification: true,
    pathParams: callPath,
    success: { 200: callTranscriptSchema },
    errors: ['call_not_found', 'not_found'],
  }),
  removeRecording: defineRoute({
    operation: 'calls.removeRecording',
    method: 'DELETE',
    path: '/agent/calls/:call_id/recording',
    summary: 'Erase the recording and the transcript of a call',
    description:
      'Erases the key that encrypts both, then the recording and the transcript. Erasing them again returns 204 as well. Returns 404 ' +
      '`not_found` if the call has no recording, and 409 before the call has ended.',
    scope: 'calls:write',
    beyondSpecification: true,
    pathParams: callPath,
    body: noBody,
    success: { 204: noBody },
    successBody: 'none',
    errors: ['call_not_found', 'not_found', 'state_conflict'],
  }),
} as const
