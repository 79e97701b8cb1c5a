/** Names of a group: of the group itself, and of its kind of resource, in words that hyphens join. */
export interface GroupNames {
  readonly plural: string
  readonly singular: string
}

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Spellings of a name: in paths, in SQL and ids, in code, as a type, and in prose. */
export interface Spellings {
  readonly kebab: string
  readonly snake: string
  readonly camel: string
  readonly pascal: string
  readonly prose: string
}

export function spell(name: string): Spellings {
  const words = name.split('-')
  const pascal = words.map(capitalized).join('')
  return {
    kebab: name,
    snake: words.join('_'),
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
    prose: words.join(' '),
  }
}
