import type { ChatObject } from '@vaani/chat'

export interface Tokens {
  prompt: number
  completion: number
}

/** More than any model reads or writes in an answer. A larger count is a fault. */
const MAX_TOKENS = 1_000_000_000

/** Reads the `usage` of an answer or a chunk; undefined if there is none, or it cannot be right. */
export function tokensOf({ usage }: ChatObject): Tokens | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined
  const fields: Partial<Record<string, unknown>> = { ...usage }
  // Images count their input, and embeddings have no output.
  const prompt = fields['prompt_tokens'] ?? fields['input_tokens']
  const completion = fields['completion_tokens'] ?? fields['output_tokens'] ?? 0
  return isCount(prompt) && isCount(completion) ? { prompt, completion } : undefined
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS
