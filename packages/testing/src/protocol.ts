export type { AdvanceMessage, ServerMessage, TestingSettings } from '@vaani/test-harness/protocol'
