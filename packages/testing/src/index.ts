export type {
  Answer,
  Delivery,
  Fault,
  FaultProxy,
  FaultProxyOptions,
  FaultRates,
  Receiver,
  ReceiverOptions,
  RunningVaani,
  SeenRequest,
  Specimen,
  StartVaaniOptions,
  VaaniClock,
} from '@vaani/test-harness'
export { FAULTS, seededRandom, SPECIMENS, startFaultProxy, startReceiver } from '@vaani/test-harness'
export { specimenPath } from './specimen-path.ts'
export { startVaani } from './start-vaani.ts'
