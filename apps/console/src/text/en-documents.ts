import type { OcrDocumentPageUnread, OcrDocumentPages } from '@vaani/client'

interface Documents {
  readonly title: string
  readonly statuses: Readonly<Record<OcrDocumentPages['status'], string>>
  readonly failures: Readonly<Record<NonNullable<OcrDocumentPages['failure_reason']>, string>>
  readonly read: string
  readonly unreadable: string
  readonly language: string
  readonly sent: string
  readonly completed: string
  readonly erased: string
  readonly page: (number: number) => string
  readonly pageErrors: Readonly<Record<OcrDocumentPageUnread['error']['code'], string>>
}

/** What the console says in English about a document that is read in the background. */
export const enDocuments: Documents = {
  title: 'Document',
  statuses: { queued: 'Waiting', processing: 'Being read', completed: 'Read', failed: 'Failed' },
  failures: { unreadable: 'no page could be read', expired: 'not read in time' },
  read: 'Pages read',
  unreadable: 'Pages not readable',
  language: 'Language',
  sent: 'Sent',
  completed: 'Ended',
  erased: 'Will be erased',
  page: (number) => `Page ${number}`,
  pageErrors: {
    time_limit: 'It takes too long to read.',
    memory_limit: 'It takes too much memory to read.',
    pixel_limit: 'It has too many pixels.',
    damaged: 'It is damaged.',
    other_script: 'It is in a script that the language does not have.',
    failed: 'It could not be read. Sending it again may help.',
  },
}
