/** A part of a message or of a function's output, in the Responses API. */
export type ResponsePart =
  | { readonly type: 'input_text' | 'output_text'; readonly text: string }
  | { readonly type: 'refusal'; readonly refusal: string }
  | { readonly type: 'input_image'; readonly image_url: string; readonly detail?: string | null | undefined }
  | { readonly type: 'input_file'; readonly file_data: string; readonly filename?: string | null | undefined }

/** Text, or parts of it. */
export type ResponseContent = string | readonly ResponsePart[]

/** An item of a conversation. */
export type ResponseInputItem =
  | {
      readonly type?: 'message' | undefined
      readonly role: 'user' | 'assistant' | 'system' | 'developer'
      readonly content: ResponseContent
    }
  | {
      readonly type: 'function_call'
      readonly call_id: string
      readonly name: string
      readonly arguments: string
    }
  | { readonly type: 'function_call_output'; readonly call_id: string; readonly output: ResponseContent }
  | { readonly type: 'reasoning' | 'item_reference' }

interface NamedFunction {
  readonly type: 'function'
  readonly name: string
}

export interface ResponseTool extends NamedFunction {
  readonly description?: string | null | undefined
  readonly parameters?: object | null | undefined
  readonly strict?: boolean | null | undefined
}

export type ResponseToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | NamedFunction
  | {
      readonly type: 'allowed_tools'
      readonly mode: 'auto' | 'required'
      readonly tools: readonly NamedFunction[]
    }

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema'
      readonly name: string
      readonly description?: string | null | undefined
      readonly schema: object
      readonly strict?: boolean | null | undefined
    }

type Optional<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | null | undefined }

/** A request of OpenAI's Responses API, without what needs its storage. Other fields are left out of the chat. */
export type ResponseRequest = {
  readonly model: string
  readonly input: string | readonly ResponseInputItem[]
} & Optional<{
  instructions: string
  tools: readonly ResponseTool[]
  tool_choice: ResponseToolChoice
  parallel_tool_calls: boolean
  text: Optional<{ format: ResponseFormat; verbosity: string }>
  reasoning: Optional<{ effort: string }>
  max_output_tokens: number
  temperature: number
  top_p: number
  top_logprobs: number
  include: readonly string[]
  metadata: object
}> & { readonly [field: string]: unknown }
