import { z } from 'zod'
import { namedIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { pageSchema } from '../shared/pagination.ts'
import { binaryBodySchema, defineRoute } from '../shared/route.ts'
import { noBody } from '../shared/ts-rest.ts'
import {
  addListedNumberSchema,
  importListedNumbersSchema,
  listedNumberSchema,
  listedNumbersImportSchema,
  listedNumbersQuerySchema,
} from './resources.ts'

const path = '/v1/do-not-call'
const forAll = '/admin/do-not-call'
const listedNumberPath = z.object({ listed_number_id: namedIdSchema('listed_number', 'not_found') })

const OF_ACCOUNT = { write: 'do_not_call:write', read: 'do_not_call:read' } as const
const IMPORTED =
  'The numbers are in the column whose name says so, or in the first, if the file has no header; the separator is a comma, a semicolon or a tab. ' +
  'Spaces, dashes, dots and parentheses in numbers are ignored, `00` stands for `+`, and a plus sign that a spreadsheet has removed is restored. ' +
  'Lines that are right are imported even if others are refused; `errors` tells which, and why: `no_number`, `no_country_code`, `invalid_number`, ' +
  '`rounded_number` (a spreadsheet wrote it like `9.8E+12`), `long_reason` or `wrong_quotes`.'
const EXPORTED =
  'Returns the list as CSV, newest first, with the columns `phone_number`, `reason`, `source` and `created_at`. A reason that a spreadsheet would take ' +
  'for a formula begins with an apostrophe.'
const FOR_ALL =
  'Requires a key of an operator; a live one if the operator has any, because the list holds for both modes.'

/** Numbers that are never called: those of an account and mode, and those of the server, which hold for every account. */
export const listedNumberRoutes = {
  add: defineRoute({
    operation: 'doNotCall.add',
    method: 'POST',
    path,
    summary: 'Put a number on the do-not-call list',
    description:
      'From then on, the account’s calls of this mode to the number are refused as `do_not_call`, and those that wait to be dialled fail with `do-not-call`. ' +
      'A number that is on the list already is returned as it is.',
    scope: OF_ACCOUNT.write,
    limit: 'do_not_call_changes',
    beyondSpecification: true,
    body: addListedNumberSchema,
    success: { 201: listedNumberSchema },
    errors: ['invalid_phone'],
  }),
  list: defineRoute({
    operation: 'doNotCall.list',
    method: 'GET',
    path,
    summary: 'List or look up numbers that are not to be called',
    description:
      'Lists the account’s numbers of this mode, newest first. Numbers on the list of the server do not appear.',
    scope: OF_ACCOUNT.read,
    beyondSpecification: true,
    query: listedNumbersQuerySchema,
    success: { 200: pageSchema(listedNumberSchema) },
    errors: ['invalid_phone'],
  }),
  remove: defineRoute({
    operation: 'doNotCall.remove',
    method: 'DELETE',
    path: `${path}/:listed_number_id`,
    summary: 'Take a number off the do-not-call list',
    description: 'The number can be called again, unless it is on the list of the server.',
    scope: OF_ACCOUNT.write,
    limit: 'do_not_call_changes',
    beyondSpecification: true,
    pathParams: listedNumberPath,
    body: noBody,
    success: { 204: noBody },
    successBody: 'none',
    errors: ['not_found'],
  }),
  importCsv: defineRoute({
    operation: 'doNotCall.importCsv',
    method: 'POST',
    path: `${path}/csv`,
    summary: 'Put the numbers of a CSV file on the do-not-call list',
    description: IMPORTED,
    scope: OF_ACCOUNT.write,
    limit: 'do_not_call_changes',
    bodyLimitBytes: LIMITS.doNotCallImportBytes,
    beyondSpecification: true,
    body: importListedNumbersSchema,
    success: { 200: listedNumbersImportSchema },
  }),
  exportCsv: defineRoute({
    operation: 'doNotCall.exportCsv',
    method: 'GET',
    path: `${path}/csv`,
    summary: 'Download the do-not-call list',
    description: EXPORTED,
    scope: OF_ACCOUNT.read,
    beyondSpecification: true,
    success: { 200: binaryBodySchema },
    successBody: 'bytes',
    mediaTypes: ['text/csv'],
  }),
  addForAll: defineRoute({
    operation: 'doNotCall.addForAll',
    method: 'POST',
    path: forAll,
    summary: 'Put a number on the do-not-call list of the server',
    description: `No account of this server can call the number from then on. ${FOR_ALL}`,
    scope: 'admin',
    beyondSpecification: true,
    body: addListedNumberSchema,
    success: { 201: listedNumberSchema },
    errors: ['invalid_phone'],
  }),
  listForAll: defineRoute({
    operation: 'doNotCall.listForAll',
    method: 'GET',
    path: forAll,
    summary: 'List or look up numbers on the do-not-call list of the server',
    description: `Lists the numbers that no account can call, newest first. ${FOR_ALL}`,
    scope: 'admin',
    beyondSpecification: true,
    query: listedNumbersQuerySchema,
    success: { 200: pageSchema(listedNumberSchema) },
    errors: ['invalid_phone'],
  }),
  removeForAll: defineRoute({
    operation: 'doNotCall.removeForAll',
    method: 'DELETE',
    path: `${forAll}/:listed_number_id`,
    summary: 'Take a number off the do-not-call list of the server',
    description: `Accounts can call the number again, unless it is on their own lists. ${FOR_ALL}`,
    scope: 'admin',
    beyondSpecification: true,
    pathParams: listedNumberPath,
    body: noBody,
    success: { 204: noBody },
    successBody: 'none',
    errors: ['not_found'],
  }),
  importCsvForAll: defineRoute({
    operation: 'doNotCall.importCsvForAll',
    method: 'POST',
    path: `${forAll}/csv`,
    summary: 'Put the numbers of a CSV file on the do-not-call list of the server',
    description: `Reads the file like \`doNotCall.importCsv\`. ${FOR_ALL}`,
    scope: 'admin',
    bodyLimitBytes: LIMITS.doNotCallImportBytes,
    beyondSpecification: true,
    body: importListedNumbersSchema,
    success: { 200: listedNumbersImportSchema },
  }),
  exportCsvForAll: defineRoute({
    operation: 'doNotCall.exportCsvForAll',
    method: 'GET',
    path: `${forAll}/csv`,
    summary: 'Download the do-not-call list of the server',
    description: `Returns the same columns as \`doNotCall.exportCsv\`. ${FOR_ALL}`,
    scope: 'admin',
    beyondSpecification: true,
    success: { 200: binaryBodySchema },
    successBody: 'bytes',
    mediaTypes: ['text/csv'],
  }),
} as const
