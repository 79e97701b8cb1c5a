/** Text that is markup already. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Content of markup; `false` and null add nothing. */
export type Content = Markup | string | number | false | null | readonly Content[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/**
 * Markup in which every text is escaped, so it is safe as an element's content and in a quoted attribute.
 *
 * @example
 * html`<p title="${reason}">${reason}</p>`
 */
export const html = (parts: TemplateStringsArray, ...contents: Content[]): Markup =>
  new Markup(parts.map((part, index) => part + textOf(contents[index] ?? null)).join(''))

function textOf(content: Content): string {
  if (content instanceof Markup) return content.text
  if (content === false || content === null) return ''
  if (typeof content === 'object') return content.map(textOf).join('')
  return escape(String(content))
}
