import type { TextDecoder as NodeTextDecoder } from 'node:util'

declare global {
  // gpt-tokenizer names the type of browsers, of which Node's types only have the value.
  type TextDecoder = NodeTextDecoder
}
