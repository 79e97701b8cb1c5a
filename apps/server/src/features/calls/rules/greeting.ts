import { codePointCount, LIMITS } from '@vaani/contracts'

/** The words that an agent speaks in a call. */
export interface Greeting {
  text: string
  /** Said before it. */
  notice?: string
  language: string
}

export interface Speaker {
  language: string
  greeting: string
  translations: Readonly<Record<string, string>>
}

const PLACEHOLDER = /\{\{\s*([\w.-]{1,64})\s*(?:\|([^{}]{0,200}))?\}\}/g
const SHORTEST_PLACEHOLDER = '{{a}}'
/** Values up to this length fit into every template, even one that consists only of placeholders. */
const HARMLESS_CHARACTERS =
  (LIMITS.filledGreetingCharacters * SHORTEST_PLACEHOLDER.length) / LIMITS.agentTextCharacters

type Metadata = Readonly<Record<string, unknown>>

const baseOf = (language: string): string => language.split('-', 1)[0]?.toLowerCase() ?? ''

/**
 * Returns the words of an agent in the call's language, or else in the same language of another region, or else in the agent's
 * own language, with the call's metadata filled in. A value that is absent, or neither a string nor a number, is replaced by
 * the placeholder's default. Returns null as soon as the text is over the limit, without building the rest.
 */
export function composeGreeting(options: {
  agent: Speaker
  language: string
  metadata: Metadata
}): Greeting | null {
  const { agent, language, metadata } = options
  const texts = [[agent.language, agent.greeting], ...Object.entries(agent.translations)] as const
  const [spoken, template] = texts.find(([tag]) => tag?.toLowerCase() === language.toLowerCase()) ??
    texts.find(([tag]) => tag !== undefined && baseOf(tag) === baseOf(language)) ?? [
      agent.language,
      agent.greeting,
    ]
  const text = fill(template ?? agent.greeting, metadata)
  return text === null ? null : { text, language: spoken ?? agent.language }
}

/** Whether this metadata could make the words of some agent exceed the limit. */
export function mayOverfill(metadata: Metadata): boolean {
  return Object.keys(metadata).some((name) => (textOf(metadata, name)?.length ?? 0) > HARMLESS_CHARACTERS)
}

function textOf(metadata: Metadata, name: string): string | undefined {
  const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

function fill(template: string, metadata: Metadata): string | null {
  const parts: string[] = []
  let left: number = LIMITS.filledGreetingCharacters
  /** @returns whether the part fits */
  const add = (part: string) => {
    // A character takes at most two UTF-16 units, so a part longer than twice the room cannot fit and needs no count.
    left -= part.length > 2 * left ? part.length : codePointCount(part)
    parts.push(part)
    return left >= 0
  }
  let end = 0
  for (const match of template.matchAll(PLACEHOLDER)) {
    const [placeholder, name = '', fallback = ''] = match
    if (!add(template.slice(end, match.index)) || !add(textOf(metadata, name) ?? fallback.trim())) return null
    end = match.index + placeholder.length
  }
  return add(template.slice(end)) ? parts.join('') : null
}
