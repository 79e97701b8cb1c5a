/** Returns a time zone in which it is between two and three at night. */
export function zoneAtNight(): string {
  const ahead = (26 - new Date().getUTCHours()) % 24
  // These zones have the sign of their distance to Greenwich the other way round.
  return ahead > 12 ? `Etc/GMT+${24 - ahead}` : `Etc/GMT-${ahead}`
}
