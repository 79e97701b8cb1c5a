import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'

/** The processes started since this file was imported, the oldest first. */
export const children: ChildProcess[] = []

subscribe('child_process', (message) => children.push((message as { process: ChildProcess }).process))
