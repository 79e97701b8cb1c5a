import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** Describes the machine that the figures depend on, including its current load. */
export function describeMachine(): string {
  const [minuteLoad = 0] = loadavg()
  return [
    `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'an unknown processor'}`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${process.platform} ${process.arch}`,
    `Node ${process.versions.node}`,
    `load average ${minuteLoad.toFixed(1)} before it began`,
  ].join(', ')
}
