import type { ListedNumber, ListedNumbersImport } from '@vaani/client'

type Problem = ListedNumbersImport['errors'][number]['problem']

/** What the console says about numbers that are never called. */
export const enDoNotCall = {
  title: 'Do-not-call list',
  all: 'The do-not-call list',
  search: 'Number',
  number: 'Number',
  reason: 'Reason',
  source: 'How',
  sources: { added: 'added', imported: 'imported' } satisfies Record<ListedNumber['source'], string>,
  since: 'Since',
  none: 'No number is listed.',
  noneHint: 'Numbers of people who do not wish to be called appear here. No call rings them. Add one:',
  notListed: 'This number is not on the list.',
  add: 'Add a number',
  importFile: 'Import a file',
  exportFile: 'Download as CSV',
  remove: 'Remove',
  removeHint: 'The number can be called again, unless it is on the list of the server.',
  file: 'CSV file',
  fileHint:
    'As a spreadsheet saves it, with a column of numbers and perhaps one of reasons: up to 10,000 lines. Numbers need their country code.',
  reasonForAll: 'Reason where the file gives none',
  send: 'Import',
  imported: 'Imported',
  added: 'Added',
  alreadyListed: 'On the list before',
  refused: 'Refused lines',
  line: 'Line',
  problem: 'Problem',
  problems: {
    no_number: 'has no number',
    no_country_code: 'the country code is missing',
    invalid_number: 'is no phone number',
    rounded_number: 'rounded by the spreadsheet; format the column as text',
    long_reason: 'the reason is longer than 200 characters',
    wrong_quotes: 'a quotation mark has no partner',
  } satisfies Record<Problem, string>,
  fromCall: 'Do not call this number again',
  listed: 'On the do-not-call list',
}
