import type { Watcher } from './exchange.ts'
import { createAnswerReader } from './sampling/read-answer.ts'

/** Calls with the id of each verification that an answer says was made. */
export function watchIds(onMade: (verificationId: string) => void): Watcher {
  const reader = createAnswerReader()
  return {
    onRequestData: () => undefined,
    onRequestEnd: () => undefined,
    onAnswer: () => undefined,
    onAnswerData: (chunk) => reader.write(chunk),
    onEnd(outcome) {
      const { verificationId } = reader.read()
      if (outcome === 'answered' && verificationId !== null) onMade(verificationId)
    },
  }
}

/** Makes several watchers one. */
export function joinWatchers(...watchers: readonly (Watcher | null)[]): Watcher | null {
  const present = watchers.filter((watcher) => watcher !== null)
  if (present.length < 2) return present[0] ?? null
  return {
    onRequestData: (chunk) => present.forEach((watcher) => watcher.onRequestData(chunk)),
    onRequestEnd: () => present.forEach((watcher) => watcher.onRequestEnd()),
    onAnswer: (status) => present.forEach((watcher) => watcher.onAnswer(status)),
    onAnswerData: (chunk) => present.forEach((watcher) => watcher.onAnswerData(chunk)),
    onEnd: (outcome) => present.forEach((watcher) => watcher.onEnd(outcome)),
  }
}
