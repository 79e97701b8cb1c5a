/** Streamed bodies need it in Node; TypeScript's library of the DOM, which Playwright's types need, lacks it. */
interface RequestInit {
  duplex?: 'half'
}
