import './provided-context.ts'

export { DOCUMENT_FILE } from './document.ts'
export { askOthers } from './integrator/ask-others.mts'
export { createIntegrator, type Integrator, type ReceivedAnswer } from './integrator.ts'
export { OF_UPSTREAMS } from './of-upstreams.ts'
export { type Prism, startPrism } from './prism.ts'
export { type Exchange, recordExchanges, type Recording } from './record-exchanges.ts'
export {
  type Replay,
  type ReplayAddress,
  reportTally,
  showExchange,
  startReplay,
  type Tally,
} from './replay.ts'
export { faultsOf, readViolations, type Violation } from './violations.ts'
