/** What servers of the OpenAI wire format may have beside chats, by path below their base URL. */
export const ENDPOINTS = ['completions', 'embeddings', 'images/generations', 'moderations'] as const

export type Endpoint = (typeof ENDPOINTS)[number]

/** Models by what they have beside chats, or instead of them. */
export type EndpointModels = Readonly<Partial<Record<Endpoint, readonly string[]>>>

/** The member of an answer that has its results. */
export const RESULTS: Readonly<Record<Endpoint, string>> = {
  completions: 'choices',
  embeddings: 'data',
  'images/generations': 'data',
  moderations: 'results',
}
