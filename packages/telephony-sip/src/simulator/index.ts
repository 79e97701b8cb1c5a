export { createManualSimulatorCarrier, createSimulatorCarrier } from './simulator-carrier.ts'
export type { ManualSimulator, SimulatorOptions } from './simulator-carrier.ts'
export { SIMULATOR_NUMBERS } from '../softphone/simulator-numbers.ts'
export type {
  CallEnding,
  LineFaults,
  PathFaults,
  PhoneBehaviour,
  SimulatorNumber,
} from '../softphone/simulator-numbers.ts'
