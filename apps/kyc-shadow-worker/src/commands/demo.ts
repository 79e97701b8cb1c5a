import { listenForStopSignals } from '@vaani/service-kit/lifecycle/stop-signals'
import { waitForEndOfParent } from '@vaani/service-kit/lifecycle/parent-pipe'
import { createScreen } from '../demo/screen.ts'
import { runDemo } from '../demo/run-demo.ts'
import { PACES } from '../demo/story.ts'

export interface DemoCommand {
  readonly isFast: boolean
  readonly exits: boolean
}

/** Returns null if the arguments are wrong. */
export function readDemoOptions(args: readonly string[]): DemoCommand | null {
  const known = ['--fast', '--exit']
  if (!args.every((word) => known.includes(word))) return null
  return { isFast: args.includes('--fast'), exits: args.includes('--exit') }
}

/** Shows a migration from its start to its end, with a regression in between. */
export async function showDemo({ isFast, exits }: DemoCommand): Promise<void> {
  const stopping = new AbortController()
  const asked = Promise.race([listenForStopSignals().first, waitForEndOfParent()])
  void asked.then(() => stopping.abort())
  const screen = createScreen(
    (text) => process.stdout.write(text),
    () => performance.now(),
  )
  try {
    await runDemo({
      screen,
      pace: isFast ? PACES.fast : PACES.usual,
      signal: stopping.signal,
      async linger(address) {
        screen.title('Read the report')
        screen.note(address)
        if (exits) return
        screen.note('Press Ctrl-C to end the demo and to delete its data.')
        await asked
      },
    })
  } catch (error) {
    if (!stopping.signal.aborted) throw error
  }
}
