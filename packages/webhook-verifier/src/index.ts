export type { ReceiverOptions } from './adapters/receive.ts'
export type { RawBody } from './crypto/platform.ts'
export type * from './events.ts'
export type { HeaderSource } from './headers.ts'
export { InvalidSignatureError } from './invalid-signature-error.ts'
export { createMemoryReplayStore } from './replay-store.ts'
export type { MemoryReplayStoreOptions, ReplayStore } from './replay-store.ts'
export { FAILURE_MESSAGES } from './result.ts'
export type {
  Failure,
  FailureCode,
  SignatureResult,
  VerifiedEvent,
  VerifiedSignature,
  VerifyResult,
} from './result.ts'
export type { Secret, Secrets } from './secrets.ts'
export { sign } from './sign.ts'
export type { SignOptions } from './sign.ts'
export { createSigner } from './signer.ts'
export type { SignatureHeaders, SignedAttempt, Signer, SignerOptions } from './signer.ts'
export { createTestDelivery } from './test-delivery.ts'
export type { TestDelivery, TestDeliveryOptions } from './test-delivery.ts'
export { createVerifier } from './verifier.ts'
export type { Verifier, VerifierOptions } from './verifier.ts'
export { verify, verifyOrThrow } from './verify.ts'
