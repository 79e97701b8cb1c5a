export const KIB = 1024
export const MIB = 1024 * KIB

/** Writes a limit as people read it, such as `37.5 MiB`, unless that would round it. */
export function sizeText(bytes: number): string {
  const isHalves = (unit: number) => (bytes * 2) % unit === 0
  if (isHalves(MIB)) return `${bytes / MIB} MiB`
  return isHalves(KIB) ? `${bytes / KIB} KiB` : `${bytes} bytes`
}
