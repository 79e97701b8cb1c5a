import type { Cli } from '../cli.ts'
import { linesOf } from '../output/text.ts'
import type { Relayed } from './relay.ts'

/** Prints a line for each delivery. For a person, an event that is not forwarded is printed with its data. */
export async function printRelayed({ clock, output }: Cli, relayed: Relayed): Promise<void> {
  const at = new Date(clock.nowMs()).toISOString()
  await output.line({ at, ...relayed }, `${at}  ${textOf(relayed)}`)
}

function textOf(relayed: Relayed): string {
  switch (relayed.type) {
    case 'refused':
      return `refused: ${relayed.code}`
    case 'delivery': {
      const { event_type, event_id, status, error, duration_ms } = relayed
      return [event_type, event_id, status ?? error, `${duration_ms} ms`].join('  ')
    }
    case 'event': {
      const { event_type, event_id, event } = relayed
      const data = typeof event === 'object' && event !== null && 'data' in event ? event.data : null
      const lines = typeof data === 'object' && data !== null ? linesOf(data) : []
      return [`${event_type}  ${event_id}`, ...lines.map((line) => `  ${line}`)].join('\n')
    }
  }
}
