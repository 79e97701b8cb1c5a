import type * as contracts from '@vaani/contracts'
import { expectTypeOf } from 'vitest'
import type { CallEvent, VerificationEvent, WebhookEvent } from './events.ts'

// Generated from the document, so that the published types need no zod; this holds them to the schemas.
expectTypeOf<CallEvent['data']>().toEqualTypeOf<contracts.CallEvent['data']>()
expectTypeOf<CallEvent['type']>().toEqualTypeOf<contracts.CallEvent['type']>()
expectTypeOf<VerificationEvent['data']>().toEqualTypeOf<contracts.VerificationEvent['data']>()
expectTypeOf<VerificationEvent['type']>().toEqualTypeOf<contracts.VerificationEvent['type']>()
expectTypeOf<keyof CallEvent>().toEqualTypeOf<keyof contracts.CallEvent>()
expectTypeOf<keyof VerificationEvent>().toEqualTypeOf<keyof contracts.VerificationEvent>()

expectTypeOf<WebhookEvent['type']>().toEqualTypeOf<contracts.WebhookEventType>()
