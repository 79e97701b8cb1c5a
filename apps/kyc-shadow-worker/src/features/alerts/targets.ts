/** Where alerts go. Each is served on its own, so that a dead receiver delays no other. */
export const TARGETS = ['log', 'webhook', 'slack'] as const
export type Target = (typeof TARGETS)[number]
