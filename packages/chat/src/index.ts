export { ChatError, type ChatErrorCode, type ChatErrorOptions } from './chat-error.ts'
export type { ChatObject, ChatOptions, ChatProvider, ChatRequest } from './provider.ts'
