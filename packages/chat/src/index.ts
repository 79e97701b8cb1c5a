export { ChatError, type ChatErrorCode, type ChatErrorOptions } from './chat-error.ts'
export { ChatOptionsError, type OptionProblem } from './chat-options-error.ts'
export { type Endpoint, type EndpointModels, ENDPOINTS, type FormEndpoint } from './endpoints.ts'
export type {
  BatchingChatProvider,
  ChatFile,
  ChatObject,
  ChatOptions,
  ChatProvider,
  ChatRequest,
} from './provider.ts'
export type { ResponseEvent } from './responses/output-item.ts'
export type {
  ResponseContent,
  ResponseFormat,
  ResponseInputItem,
  ResponsePart,
  ResponseRequest,
  ResponseTool,
  ResponseToolChoice,
} from './responses/request.ts'
export type { ResponseIdentity, ResponseObject } from './responses/response.ts'
export { type ResponseFailure, ResponseWriter } from './responses/response-writer.ts'
export { toChatRequest } from './responses/to-chat-request.ts'
export { toResponse } from './responses/to-response.ts'
export { toResponseError } from './responses/to-response-error.ts'
export {
  type ChatRouterEvent,
  type ChatRouterOptions,
  createChatRouter,
  type RoutingProvider,
} from './router/create-router.ts'
export type { ChatTarget } from './router/order-targets.ts'
export type { RestRules } from '@vaani/turns'
export { createUpstream, type Upstream } from './upstream/create-upstream.ts'
export type { StoredObjects, StoredRequest } from './upstream/stored.ts'
export type { UpstreamOptions } from './upstream/options.ts'
export { asksForText } from './upstream/transcript.ts'
export { UpstreamError, type UpstreamFault } from './upstream/upstream-error.ts'
