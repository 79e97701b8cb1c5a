import { Session } from 'node:inspector/promises'

/** Counts executed blocks of code, which unlike time is the same at each run and on each machine. */
export interface StepCounter extends AsyncDisposable {
  /** Returns how many blocks of the parser's sources ran in a call. */
  count(run: () => void): Promise<number>
}

const isParser = (url: string): boolean => /\/src\/(?:message|digest)\//.test(url)

/** Starts counting by V8's precise coverage. Slows the whole process down. */
export const startCounting = async (): Promise<StepCounter> => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  // Taking a coverage resets its counts.
  const take = () => session.post('Profiler.takePreciseCoverage')
  return {
    count: async (run) => {
      await take()
      run()
      const { result } = await take()
      return result
        .filter(({ url }) => isParser(url))
        .flatMap(({ functions }) => functions)
        .flatMap(({ ranges }) => ranges)
        .reduce((sum, { count }) => sum + count, 0)
    },
    [Symbol.asyncDispose]: async () => {
      await session.post('Profiler.stopPreciseCoverage')
      session.disconnect()
    },
  }
}
