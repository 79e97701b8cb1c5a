import type { JobLimits } from './job.ts'

/** What a check process may use for the job that it does, as its threads share it. */
export interface Budget {
  readonly shared: SharedArrayBuffer
  begin(limits: JobLimits): void
  /** Which limit the job exceeds; null outside of jobs. */
  exceeded(): 'time' | 'memory' | null
  end(): void
}

/** Signals that dump no core, which would hold people's documents. They tell the process that started this one why it ended. */
export const SIGNAL_OF = { time: 'SIGVTALRM', memory: 'SIGUSR2' } as const

export const usedMemoryMb = (): number => process.memoryUsage.rss() / 2 ** 20

function usedProcessorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export function createBudget(shared = new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT)): Budget {
  const until = new Float64Array(shared)
  function set(processorMs: number, memoryMb: number): void {
    until[0] = processorMs
    until[1] = memoryMb
  }
  return {
    shared,
    begin: ({ processorMs, memoryMb }) => set(usedProcessorMs() + processorMs, usedMemoryMb() + memoryMb),
    exceeded() {
      const [processorMs = 0, memoryMb = 0] = until
      // No job: nothing was set, or it ended.
      if (processorMs === 0) return null
      return usedProcessorMs() > processorMs ? 'time' : usedMemoryMb() > memoryMb ? 'memory' : null
    },
    end: () => set(0, 0),
  }
}
