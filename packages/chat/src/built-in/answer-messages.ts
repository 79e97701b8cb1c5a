import type { Answer, Refusal } from './answer/write-answer.ts'

export interface AnswerRequest {
  readonly request: { readonly [field: string]: unknown }
}

export type AnswerReply = Answer | Refusal | { readonly type: 'failed'; readonly error: unknown }
