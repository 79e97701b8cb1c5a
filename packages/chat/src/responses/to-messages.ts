import type { ResponseContent, ResponseInputItem, ResponsePart, ResponseRequest } from './request.ts'

interface AssistantMessage {
  role: 'assistant'
  content: unknown
  tool_calls?: object[]
}
type Message = AssistantMessage | { role: 'user' | 'system' | 'developer' | 'tool'; content: unknown }

/** Returns the messages of a chat. Calls that follow each other, or a text of the assistant, are one message with it. */
export function toMessages({
  instructions,
  input,
}: Pick<ResponseRequest, 'instructions' | 'input'>): object[] {
  const messages: Message[] = []
  if (typeof instructions === 'string') messages.push({ role: 'system', content: instructions })
  const items: readonly ResponseInputItem[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : input
  for (const item of items) add(messages, item)
  return messages
}

function add(messages: Message[], item: ResponseInputItem): void {
  switch (item.type) {
    case undefined:
    case 'message':
      messages.push({ role: item.role, content: toContent(item.content) })
      return
    case 'function_call': {
      const { call_id: id, name, arguments: text } = item
      const call = { id, type: 'function', function: { name, arguments: text } }
      const last = messages.at(-1)
      if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call]
      else messages.push({ role: 'assistant', content: null, tool_calls: [call] })
      return
    }
    case 'function_call_output': {
      const message = { role: 'tool' as const, tool_call_id: item.call_id, content: toContent(item.output) }
      messages.push(message)
      return
    }
    case 'reasoning':
    case 'item_reference':
  }
}

/** A text alone is a string, which every server reads. */
function toContent(content: ResponseContent): unknown {
  if (typeof content === 'string') return content
  const [only] = content
  return content.length === 1 && only !== undefined && 'text' in only ? only.text : content.map(toPart)
}

function toPart(part: ResponsePart): object {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: part.text }
    case 'refusal':
      return { type: 'refusal', refusal: part.refusal }
    case 'input_image':
      return { type: 'image_url', image_url: { url: part.image_url, detail: part.detail ?? undefined } }
    case 'input_file':
      return { type: 'file', file: { file_data: part.file_data, filename: part.filename ?? undefined } }
  }
}
