import type { Duplex } from 'node:stream'

/**
 * Lets the frames that `ws` sends in one turn leave in one write. It writes each by itself, between `cork` and `uncork`, and a frame for
 * each spoken word costs more than the word's audio.
 */
export function gatherFrames(connection: Duplex): void {
  const cork = connection.cork.bind(connection)
  let isGathering = false
  connection.cork = () => {
    cork()
    if (isGathering) return
    isGathering = true
    cork()
    process.nextTick(() => {
      isGathering = false
      connection.uncork()
    })
  }
}
