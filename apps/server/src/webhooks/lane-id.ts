/** The lane of what goes to an address that is no endpoint: an account's deliveries to one origin share it. */
export function laneOfUrl(accountId: string, url: string): string {
  return `${accountId} ${new URL(url).origin}`
}
