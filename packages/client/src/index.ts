export * from './errors.ts'
export type * from './generated/types.ts'
export type { Admin } from './resources/admin.ts'
export type { Agents } from './resources/agents.ts'
export type { Batches } from './resources/batches.ts'
export type { Calls } from './resources/calls.ts'
export type { Chat } from './resources/chat.ts'
export type { Deployments } from './resources/deployments.ts'
export type { CallerIds } from './resources/caller-ids.ts'
export type { DoNotCall } from './resources/do-not-call.ts'
export type { Identity, SubmitRequest, WaitForDecisionOptions } from './resources/identity.ts'
export type { Members } from './resources/members.ts'
export type { Models, TranscribeRequest, TranslateRequest } from './resources/models.ts'
export type { DocumentToRead, Ocr } from './resources/ocr.ts'
export type { Limits } from './resources/limits.ts'
export type { Requests } from './resources/requests.ts'
export type { Reviews } from './resources/reviews.ts'
export type { Realtime, RealtimeOptions } from './resources/realtime.ts'
export type { Speech, Synthesis } from './resources/speech.ts'
export type { System } from './resources/system.ts'
export type { Lexicons } from './resources/lexicons.ts'
export type { CloneVoiceRequest, Voices } from './resources/voices.ts'
export type { WaitOptions, WebhookEvent, WebhookInbox } from './resources/wait.ts'
export { createWebhookInbox, type MemoryInbox } from './resources/webhook-inbox.ts'
export type { Watermark } from './resources/watermark.ts'
export type { Webhooks } from './resources/webhooks.ts'
export type { MediaFile } from './streams/media-file.ts'
export type { ItemStream, PendingStream } from './streams/item-stream.ts'
export type { List, Page } from './streams/pages.ts'
export type { FramePlayer, FrameSink, SpeechStream } from './streams/speech-stream.ts'
export type { SpeakOptions, SynthesisEvent, SynthesisSession } from './streams/synthesis-session.ts'
export type { ClientOptions, Fetch, Middleware, RequestOptions } from './transport/client-options.ts'
export type { Clock } from './transport/clock.ts'
export {
  createObserver,
  type EndedTry,
  type Logger,
  type Observer,
  type ObserverOptions,
  type RequestEvent,
  type ResponseEvent,
  type SentTry,
} from './transport/observer.ts'
export type { Answer, Pending } from './transport/pending.ts'
export type { MediaSource } from './media-source.ts'
export type { UploadOptions, UploadProgress } from './upload/upload-body.ts'
export { type AnyRequest, Vaani, type VaaniOptions } from './vaani.ts'
