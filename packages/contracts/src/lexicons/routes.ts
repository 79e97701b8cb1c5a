import { z } from 'zod'
import { languageSchema } from '../shared/checks.ts'
import { LIMITS } from '../shared/limits.ts'
import { defineRoute } from '../shared/route.ts'
import { noBody } from '../shared/ts-rest.ts'
import { lexiconListSchema, lexiconSchema, replaceLexiconSchema } from './resources.ts'

const BODY_BYTES = 1024 * 1024
const pathParams = z.object({ language: languageSchema })
const base = { path: '/v1/lexicons/:language', scope: 'speech:write', beyondSpecification: true } as const

/** Pronunciations of an account. */
export const lexiconRoutes = {
  list: defineRoute({
    operation: 'lexicons.list',
    method: 'GET',
    path: '/v1/lexicons',
    summary: 'List lexicons',
    description: 'Lists the account’s lexicons, without their entries, by language.',
    scope: 'speech:write',
    beyondSpecification: true,
    success: { 200: lexiconListSchema },
  }),
  retrieve: defineRoute({
    ...base,
    operation: 'lexicons.retrieve',
    method: 'GET',
    summary: 'Get a lexicon',
    description: 'Returns the entries of one language, as they were sent.',
    pathParams,
    success: { 200: lexiconSchema },
    errors: ['not_found'],
  }),
  replace: defineRoute({
    ...base,
    operation: 'lexicons.replace',
    method: 'PUT',
    summary: 'Create or replace a lexicon',
    description: `Sets all entries of a language. All speech of the account in this language uses them within a second: streams, files, sockets and calls. A lexicon of a language without region, such as \`en\`, serves the regions that have none of their own. An account can have ${LIMITS.lexiconsPerAccount} lexicons per mode.`,
    limit: 'lexicon_changes',
    bodyLimitBytes: BODY_BYTES,
    pathParams,
    body: replaceLexiconSchema,
    success: { 200: lexiconSchema },
    errors: ['state_conflict'],
  }),
  remove: defineRoute({
    ...base,
    operation: 'lexicons.remove',
    method: 'DELETE',
    summary: 'Delete a lexicon',
    description:
      'Deletes the entries of a language. Within a second, its terms are spoken as the engine reads them.',
    pathParams,
    body: noBody,
    success: { 204: noBody },
    successBody: 'none',
    errors: ['not_found'],
  }),
} as const
