import type { JobLimits } from './job.ts'

/** Resource budget of a check process for its current job, shared between its threads. */
export interface Budget {
  readonly shared: SharedArrayBuffer
  begin(limits: JobLimits): void
  /** Returns the limit that the job exceeds, or null if it exceeds none or no job runs. */
  exceeded(): 'time' | 'memory' | null
  end(): void
}

/** Signals that report to the parent process why this one ended. They dump no core, which would contain people's documents. */
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
      // No job is running.
      if (processorMs === 0) return null
      return usedProcessorMs() > processorMs ? 'time' : usedMemoryMb() > memoryMb ? 'memory' : null
    },
    end: () => set(0, 0),
  }
}
