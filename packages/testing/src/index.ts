import { findNodeProblem } from '@vaani/service-kit/lifecycle/find-node-problem'

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

// The server runs in the same Node.
const problem = findNodeProblem(new URL('../package.json', import.meta.url))
if (problem !== null) throw new Error(problem)
