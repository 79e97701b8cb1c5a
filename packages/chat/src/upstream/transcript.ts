import type { ChatObject } from '../provider.ts'

/** Type of the last event of a streamed transcript. */
const DONE = 'transcript.text.done'
/** Values of `response_format` whose answers are not JSON. */
const TEXT_FORMATS: ReadonlySet<unknown> = new Set(['text', 'srt', 'vtt'])

/** Returns whether a request for a transcript asks for text instead of JSON, by its `response_format`. */
export const asksForText = (request: ChatObject): boolean => TEXT_FORMATS.has(request['response_format'])

export const endsTranscript = ({ type }: ChatObject): boolean => type === DONE

/** Makes the only event of a transcript that was sent whole, as some models do when they are asked for a stream. */
export const toLastEvent = ({ text, usage }: ChatObject): ChatObject => ({ type: DONE, text, usage })
