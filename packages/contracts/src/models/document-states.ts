import type { Actor, EventOf, TransitionTable } from '../shared/state-machine.ts'

export const DOCUMENT_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number]

export const DOCUMENT_TRANSITIONS = {
  queued: { started: 'processing', expired: 'failed' },
  processing: { finished: 'completed', unreadable: 'failed', expired: 'failed' },
  completed: {},
  failed: {},
} as const satisfies TransitionTable<DocumentStatus>

/** Why a document failed: no page could be read, or it was not read before it expired. */
export const DOCUMENT_FAILURE_REASONS = ['unreadable', 'expired'] as const
export type DocumentFailureReason = (typeof DOCUMENT_FAILURE_REASONS)[number]

export type DocumentEventName = EventOf<typeof DOCUMENT_TRANSITIONS>

/** Actor that may cause each event of a document. */
export const DOCUMENT_EVENT_ACTORS = {
  started: 'holder',
  finished: 'holder',
  unreadable: 'holder',
  expired: 'holder',
} as const satisfies Record<DocumentEventName, Actor>
