import type * as contracts from '@vaani/contracts'
import { expectTypeOf } from 'vitest'
import type { CallEvent, VerificationEvent } from './events.ts'

// Written out, so that the published types need no zod; the contracts stay the source, and this holds them to it.
expectTypeOf<CallEvent['data']>().toEqualTypeOf<contracts.CallEvent['data']>()
expectTypeOf<CallEvent['type']>().toEqualTypeOf<contracts.CallEvent['type']>()
expectTypeOf<VerificationEvent['data']>().toEqualTypeOf<contracts.VerificationEvent['data']>()
expectTypeOf<VerificationEvent['type']>().toEqualTypeOf<contracts.VerificationEvent['type']>()
expectTypeOf<keyof CallEvent>().toEqualTypeOf<keyof contracts.CallEvent>()
expectTypeOf<keyof VerificationEvent>().toEqualTypeOf<keyof contracts.VerificationEvent>()
