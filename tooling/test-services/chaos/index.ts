export { type Disk, mountDisk } from './disk.ts'
export { between, drawFault, type Fault } from './draw.ts'
export { keepRunning, type KeptProcess } from './keep-running.ts'
export { createViolations, type Violations } from './violations.ts'
