/** What servers of the OpenAI wire format may take a form with a file for, by path below their base URL. */
const FORM_ENDPOINTS = ['audio/transcriptions', 'audio/translations'] as const

export type FormEndpoint = (typeof FORM_ENDPOINTS)[number]

/** What servers of the OpenAI wire format may have beside chats, by path below their base URL. */
export const ENDPOINTS = [
  'completions',
  'embeddings',
  'images/generations',
  'moderations',
  ...FORM_ENDPOINTS,
  'batches',
] as const

export type Endpoint = (typeof ENDPOINTS)[number]

/** Models by what they have beside chats, or instead of them. */
export type EndpointModels = Readonly<Partial<Record<Endpoint, readonly string[]>>>

/** The member of an answer that has its results. */
export const RESULTS: Readonly<Record<Endpoint, string>> = {
  completions: 'choices',
  embeddings: 'data',
  'images/generations': 'data',
  moderations: 'results',
  'audio/transcriptions': 'text',
  'audio/translations': 'text',
  batches: 'id',
}
