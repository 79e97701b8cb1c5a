/** What an agent says in one call. */
export interface Greeting {
  text: string
  language: string
}

interface Speaker {
  language: string
  greeting: string
  translations: Readonly<Record<string, string>>
}

const PLACEHOLDER = /\{\{\s*([\w.-]{1,64})\s*(?:\|([^{}]{0,200}))?\}\}/g

const baseOf = (language: string): string => language.split('-', 1)[0]?.toLowerCase() ?? ''

/**
 * The words of an agent in the call's language, else in the same language of another region, else in the agent's
 * own, filled with the call's metadata. A value that is absent, or no text or number, gives the default.
 */
export function composeGreeting(options: {
  agent: Speaker
  language: string
  metadata: Readonly<Record<string, unknown>>
}): Greeting {
  const { agent, language, metadata } = options
  const texts = [[agent.language, agent.greeting], ...Object.entries(agent.translations)] as const
  const [spoken, template] = texts.find(([tag]) => tag?.toLowerCase() === language.toLowerCase()) ??
    texts.find(([tag]) => tag !== undefined && baseOf(tag) === baseOf(language)) ?? [
      agent.language,
      agent.greeting,
    ]
  return { text: fill(template ?? agent.greeting, metadata), language: spoken ?? agent.language }
}

function fill(template: string, metadata: Readonly<Record<string, unknown>>): string {
  return template.replace(PLACEHOLDER, (_, name: string, fallback: string | undefined) => {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined
    return typeof value === 'string' || typeof value === 'number' ? String(value) : (fallback ?? '').trim()
  })
}
