export { DOCUMENT_FILE } from './document.ts'
export { createIntegrator, type Integrator, type ReceivedAnswer } from './integrator.ts'
export { type Prism, startPrism } from './prism.ts'
export { readViolations, type Violation } from './violations.ts'
